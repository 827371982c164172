import {
  type CircuitBreakerPolicy,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhenResult,
  type IPolicy,
  isBrokenCircuitError,
  retry,
  wrap,
} from 'cockatiel'
import { LRUCache } from 'lru-cache'
import { config } from '#lib/platform/config.ts'
import type { FetchedJson } from '#lib/platform/outbound/fetch-document.ts'
import type { OutboundFailure } from '#lib/platform/outbound/guarded-request.ts'
import { postJson } from '#lib/platform/outbound/post-json.ts'
import { processState } from '#lib/platform/process-state.ts'
import { type BotAnswer, readBotAnswer } from './bot-answer.ts'
import { BotError } from './bot-error.ts'
import { type CallType, SIGNATURE_HEADER, signCall } from './call-signature.ts'

/** The longest answer of a bot, in bytes. */
const MAX_ANSWER_BYTES = 64 * 1024

/** How often a call is made again that the bot has not begun to answer, and after which pause first, in milliseconds. */
const RETRIES = 2
const FIRST_PAUSE = 100

/** After so many turns in a row without an answer, or with a 5xx, the bot is left alone, for so long, in milliseconds. */
const FAILURES = 5
const REST = 30_000

const MAX_BREAKERS = 10_000

/** Where a Brand's bot is, and as what it is called. */
export type Bot = { brandId: string; url: string; typ: CallType }

/** True when not one byte came back, and it was not the turn's time that was over. */
function isUnanswered(result: unknown): boolean {
  const { ok, status, reason } = result as FetchedJson & { status?: number; reason?: string }
  return !ok && status === undefined && (reason === 'unreachable' || reason === 'timeout')
}

/**
 * True where the bot as such may be down. An answer of another kind, such as 413 or no JSON, may be for one message alone:
 * whoever sent that must not keep the bot from all others.
 */
function isDown(result: unknown): boolean {
  const { ok, status } = result as FetchedJson & { status?: number }
  return !ok && (status === undefined || status >= 500)
}

/**
 * One for each Brand's bot: the Brand itself is read anew whenever some setting changes. Who tries a bot that fails must not
 * keep it from those whom it serves.
 */
function breakerOf({ brandId, url, typ }: Bot): CircuitBreakerPolicy {
  const breakers = processState(
    'bot-breakers',
    () => new LRUCache<string, CircuitBreakerPolicy>({ max: MAX_BREAKERS }),
  )
  const key = `${brandId} ${typ} ${url}`
  const known = breakers.get(key)
  if (known) return known
  const breaker = new ConsecutiveBreaker(FAILURES)
  const made = circuitBreaker(handleWhenResult(isDown), { halfOpenAfter: REST, breaker })
  breakers.set(key, made)
  return made
}

const retries = () =>
  retry(handleWhenResult(isUnanswered), {
    maxAttempts: RETRIES,
    backoff: new ExponentialBackoff({ initialDelay: FIRST_PAUSE }),
  })

function toBotError({ reason, status }: OutboundFailure): BotError {
  if (reason === 'status') return new BotError('bot-status', `the bot gave no answer: status ${status}`)
  const code = status === undefined ? 'bot-silent' : 'bot-unusable'
  return new BotError(code, `the bot gave no answer: ${reason}`)
}

/** While the bot is left alone nobody asks it. */
function toRestingError(error: unknown): unknown {
  return isBrokenCircuitError(error)
    ? new BotError('bot-resting', 'the bot was not asked: it had failed several times in a row')
    : error
}

/**
 * Posts a turn to a Brand's bot, signed, and reads its answer. It is asked again only where it has not begun to answer, under
 * the same `Idempotency-Key`, at most twice. After five turns in a row without an answer, or with a 5xx, it is left alone for
 * 30 s; then one turn tries it.
 *
 * @param id names the call: the same whenever the same call is made
 * @param signal ends everything
 * @throws BotError when there is no answer, or one that can't be used, or while it is left alone
 */
export async function askBot(
  bot: Bot,
  call: object,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<BotAnswer> {
  const body = JSON.stringify(call)
  const policy: IPolicy = wrap(breakerOf(bot), retries())
  const post = async () => {
    const signature = await signCall(bot.brandId, { typ: bot.typ, url: bot.url, id, body })
    return postJson({
      url: bot.url,
      purpose: 'bots',
      body,
      headers: { 'idempotency-key': id, [SIGNATURE_HEADER]: signature },
      signal,
      maxBytes: MAX_ANSWER_BYTES,
      allowLoopback: config().allowLoopback,
    })
  }
  const answered = await policy.execute(post, signal).catch((error: unknown) => {
    throw toRestingError(error)
  })
  if (!answered.ok) throw toBotError(answered)
  return readBotAnswer(answered.value)
}
