import { createHash } from 'node:crypto'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { tokenTypes } from '#lib/identity/token-types.ts'
import type { Access, Agent, Answer, StepUp, Turn } from '../agent.ts'
import { cutReply } from '../render-reply.ts'
import type { WebhookAgent } from '../webhook-schema.ts'
import { askBot } from './ask-bot.ts'
import type { BotAnswer } from './bot-answer.ts'
import { type BotDone, BotError, unusableAnswer } from './bot-error.ts'

/** How much of a conversation a call brings, in bytes of UTF-8: the latest turns that fit. */
const MAX_HISTORY_BYTES = 256 * 1024

/**
 * Names the call: the same if the same turn makes it again, another once the message runs again with another token (§5.5).
 */
function nameCall({ contextId, messageId }: Turn, access: Access | undefined): string {
  return createHash('sha256')
    .update(JSON.stringify([contextId, messageId, access?.token ?? null]))
    .digest('base64url')
}

/** What the bot is posted. */
async function buildCall(turn: Turn, { history }: WebhookAgent, access: Access | undefined) {
  const { brandId, contextId, messageId, text, state } = turn
  const { issuer, name, subject } = await turn.caller()
  return {
    brand: interfaceUrl(brandId),
    caller: { issuer, name, subject },
    contextId,
    messageId,
    text,
    state,
    ...(history === 'full' ? { history: await turn.history(MAX_HISTORY_BYTES) } : {}),
    access: access
      ? { brandUserId: access.brandUserId, scopes: [...access.scopes], token: access.token }
      : null,
  }
}

/**
 * Whatever else is wrong with an answer: what was done is told. A turn that fails from here on ends with a reply and a receipt
 * that say so.
 */
function noteDone(turn: Turn, { actions, scopesUsed }: BotDone, held: ReadonlySet<string>): void {
  const scopes = scopesUsed.filter((scope) => held.has(scope))
  for (const action of actions) turn.sent.add({ action, scopes, changes: true })
}

/** The bot acts with the token that it is given: it can't have used what that does not allow. */
function checkScopesUsed({ scopesUsed }: BotAnswer, held: ReadonlySet<string>): void {
  const foreign = scopesUsed.find((scope) => !held.has(scope))
  if (foreign !== undefined) throw unusableAnswer('it used a scope that the token does not allow')
}

function toStepUp(
  { missingScopes, text, actions, scopesUsed }: Extract<BotAnswer, { missingScopes: unknown }>,
  held: ReadonlySet<string>,
  defined: ReadonlySet<string>,
): StepUp {
  const lacking = [...new Set(missingScopes)].filter((scope) => !held.has(scope))
  if (lacking.length === 0) throw unusableAnswer('it misses no scope that the token lacks')
  if (!lacking.every((scope) => defined.has(scope)))
    throw unusableAnswer('it misses a scope that the Brand does not define')
  return { missingScopes: lacking, text: cutReply(text), actions, scopesUsed }
}

/**
 * An agent that is the Brand's own bot: each turn is posted to it, signed, and its answer is the turn's outcome. Under a
 * delegation token the bot gets the token, to act with it at the Brand's API; what it says it did goes into the receipt
 * (§5.6), even where the rest of its answer can't be used. A bot without a usable answer fails the turn: what it may have done
 * is unknown, so its message is not run again.
 *
 * @param settings valid under `webhookAgentSchema`
 * @param scopes the ids that the Brand defines: a bot can miss no other
 */
export function buildWebhookAgent(settings: WebhookAgent, scopes: readonly string[]): Agent {
  const defined = new Set(scopes)
  return {
    timeLimit: settings.timeLimitSeconds * 1000,
    async run(turn) {
      // Much may have been taken back since the turn began.
      const now = await turn.access?.scopesNow()
      if (turn.access && !now) return { tokenEnded: true }
      const access = turn.access && now && { ...turn.access, scopes: now }
      const held = access?.scopes ?? new Set<string>()
      const answer = await ask(turn, settings, access).catch((error: unknown) => {
        if (error instanceof BotError && error.done) noteDone(turn, error.done, held)
        throw error
      })
      noteDone(turn, answer, held)
      checkScopesUsed(answer, held)
      return 'missingScopes' in answer ? toStepUp(answer, held, defined) : toAnswer(turn, answer)
    },
  }
}

function toAnswer(turn: Turn, answer: Extract<BotAnswer, { reply: string }>): Answer {
  const { reply, close, state = turn.state, actions, scopesUsed } = answer
  return { reply: cutReply(reply), close, state, actions, scopesUsed }
}

/** Asks, and tells whoever tries the agent. */
async function ask(turn: Turn, settings: WebhookAgent, access: Access | undefined): Promise<BotAnswer> {
  const call = await buildCall(turn, settings, access)
  const startedAt = performance.now()
  const told = (outcome: { answer?: BotAnswer; fault?: string }) =>
    turn.trace?.({
      kind: 'bot',
      time: performance.now() - startedAt,
      url: settings.url,
      // The token is nobody's to read.
      call: { ...call, access: call.access && { ...call.access, token: undefined } },
      answer: outcome.answer,
      ...(outcome.fault === undefined ? {} : { fault: outcome.fault }),
    })
  try {
    const typ = turn.rehearsed ? tokenTypes.rehearsal : tokenTypes.webhook
    const bot = { brandId: turn.brandId, url: settings.url, typ }
    const answer = await askBot(bot, call, { id: nameCall(turn, access), signal: turn.signal })
    told({ answer })
    return answer
  } catch (error) {
    told({ fault: error instanceof Error ? error.message : 'it failed' })
    throw error
  }
}
