import {
  type Access,
  type Agent,
  type Answer,
  isStepUp,
  isTokenEnded,
  noUsage,
  type StepUp,
  type TurnCaller,
  type TurnRequest,
} from '#lib/agents/agent.ts'
import { codeFailure } from '#lib/agents/failure-code.ts'
import { runTurn } from '#lib/agents/run-turn.ts'
import { findAgentSecret } from '#lib/agents/stored-secrets.ts'
import { getPersonalAgentById } from '#lib/identity/registry.ts'
import { addReceipt, addUnsignedReceipt } from './add-receipt.ts'
import { answerFirstAtOnce, answerNextAtOnce } from './answer-at-once.ts'
import { type Claim, claimFirstTurn, claimNextTurn, type Turn } from './claim-turn.ts'
import type { Delegation, IncomingMessage, Owner, TurnResult } from './conversation.ts'
import { readEarlierCalls } from './earlier-calls.ts'
import { readPastTurns } from './past-turns.ts'
import { noteStoredState, writeState } from './remembered-states.ts'
import { areTurnsStopping, runStoppably } from './running-turns.ts'
import { settleOutcome } from './settle-outcome.ts'
import { abandonTurn, closeRestedConversation, releaseTurn } from './settle-turn.ts'
import { countUsage } from './traffic.ts'
import { callNext, standInLine } from './turn-line.ts'

/** Added to the agent's time limit, so that a turn which ends in time also settles in time; in milliseconds. */
const SETTLING_TIME = 5_000

type Counterpart = {
  agent: Agent
  /** How long a conversation may rest before it is closed, in milliseconds. */
  idleTime: number
}

/**
 * One turn (§4): claim, run, settle; or at once, where the agent needs nothing but the message. Nothing is held in the database
 * while the agent runs. Turns of one conversation run one at a time, across processes; a repeated message gets the stored
 * reply, and the agent does nothing again (§4.3).
 *
 * Under a delegation token the turn runs as the token's Brand user, and the context as nobody else from then on; what was
 * done goes into a receipt (§5.5, §5.6). A turn that needs more scopes leaves its message as if it had not been sent, and
 * so does one whose token ends before anything was done.
 *
 * @param delegation undefined: the turn runs under §3
 * @throws when the database fails; then the message was not stored, or stays without a reply, or has one that a repetition gets
 */
export async function takeTurn(
  owner: Owner,
  message: IncomingMessage,
  brand: Counterpart,
  delegation?: Delegation,
): Promise<TurnResult> {
  const terms = {
    turnTime: brand.agent.timeLimit + SETTLING_TIME,
    idleTime: brand.idleTime,
    brandUserId: delegation?.access.brandUserId,
  }
  const { contextId } = message
  if (areTurnsStopping()) return { kind: 'busy' }
  if (contextId === undefined) {
    const answered = delegation ? undefined : await answerFirstAtOnce(owner, message, brand.agent)
    if (answered) return answered
    const turn = await claimFirstTurn(owner, message, terms)
    return runClaimedTurn({ owner, message, delegation }, turn, brand.agent)
  }
  const next = { ...message, contextId }
  // Once, however often it is looked whether the turn may begin: what the agent says costs time.
  let isTried = delegation !== undefined
  const claim = await claimInOrder(contextId, brand.agent.timeLimit, async (mayBegin) => {
    const tries = mayBegin && !isTried
    isTried ||= mayBegin
    const answered = tries ? await answerNextAtOnce(owner, next, brand.agent, terms) : undefined
    return answered ?? claimNextTurn(owner, next, terms, mayBegin)
  })
  if (claim.kind === 'claimed') {
    return runClaimedTurn({ owner, message, delegation }, claim.turn, brand.agent)
  }
  if (claim.kind === 'closed' && claim.rested) await closeRestedConversation(owner, contextId, brand.idleTime)
  // The message may have waited for long: a token that ended meanwhile learns nothing of the conversation.
  if (delegation && !(await lookAgain(delegation.access))) return { kind: 'token-ended' }
  const { messageId } = message
  if (claim.kind === 'unsigned')
    return addUnsignedReceipt({ owner, messageId, reply: claim.reply }, claim.claims)
  if (claim.kind !== 'replied' || claim.reply.receipt || !delegation) return claim
  return addReceipt({ owner, messageId, reply: claim.reply }, delegation)
}

/** As whom the turn may act at this moment; undefined: the token counts no more (§5.5). */
async function lookAgain(access: Access): Promise<Access | undefined> {
  const scopes = await access.scopesNow()
  return scopes && { ...access, scopes }
}

/** Claims turns, or answers, in the order in which messages came, at once where nobody waits. A message sent before never waits. */
async function claimInOrder(
  contextId: string,
  patience: number,
  claim: (mayBegin: boolean) => Promise<Claim>,
): Promise<Claim> {
  const claimed = await standInLine<Claim>(contextId, patience, async (first) => {
    if (areTurnsStopping()) return { kind: 'busy' }
    const made = await claim(first)
    return made.kind === 'busy' ? undefined : made
  })
  return claimed ?? { kind: 'busy' }
}

/** Whose turn it is, and with what. */
type Sent = { owner: Owner; message: IncomingMessage; delegation: Delegation | undefined }

async function runClaimedTurn(sent: Sent, turn: Turn, agent: Agent): Promise<TurnResult> {
  try {
    // Who stops the turns waits until one that failed has been given up, too.
    return await runStoppably(turn, (stop) => runOrAbandon(sent, turn, agent, stop))
  } finally {
    callNext(turn.contextId)
  }
}

async function runOrAbandon(sent: Sent, turn: Turn, agent: Agent, stop: AbortSignal): Promise<TurnResult> {
  try {
    // Turns may have been stopped while it was claimed: those who stop them do not know of it.
    if (areTurnsStopping()) {
      await releaseTurn(turn)
      return { kind: 'busy' }
    }
    return await runAndSettle(sent, turn, agent, stop)
  } catch (cause) {
    return { kind: 'failed', cause: await abandonAfter(turn, cause) }
  }
}

async function runAndSettle(sent: Sent, turn: Turn, agent: Agent, stop: AbortSignal): Promise<TurnResult> {
  const { owner, message, delegation } = sent
  const access = delegation && (await lookAgain(delegation.access))
  if (delegation && !access) return release(turn)
  const usage = noUsage()
  try {
    const request: TurnRequest = {
      brandId: turn.brandId,
      text: message.text,
      state: turn.state,
      contextId: turn.contextId,
      messageId: message.messageId,
      access,
      caller: () => describeCaller(owner),
      history: (maxBytes) => readPastTurns(turn, maxBytes),
      earlierCalls: () => readEarlierCalls(turn),
      secret: (name, url) => findAgentSecret(turn.brandId, name, url),
      usage,
    }
    const outcome = await runTurn(agent, request, stop)
    if (isTokenEnded(outcome)) return await release(turn)
    const result = await settleOutcome(turn, outcome, delegation)
    if (agent.answerAtOnce) noteForNext(owner, turn, outcome, result)
    return result
  } finally {
    countUsage(owner, usage)
  }
}

/**
 * What the agent remembers now, for a next turn that may be answered at once. Of a turn that sent calls it is not known here:
 * one that settled late has stored its reply alone.
 */
function noteForNext(
  owner: Owner,
  { contextId }: Turn,
  outcome: Answer | StepUp,
  { kind }: TurnResult,
): void {
  if (kind !== 'replied' || isStepUp(outcome)) return
  const isKnown = !outcome.close && outcome.actions.length === 0
  noteStoredState(owner, contextId, isKnown ? writeState(outcome.state) : undefined)
}

async function describeCaller({ personalAgentId, subject }: Owner): Promise<TurnCaller> {
  const { issuer, name } = await getPersonalAgentById(personalAgentId)
  return { issuer, name, subject }
}

async function release(turn: Turn): Promise<TurnResult> {
  await releaseTurn(turn)
  return { kind: 'token-ended' }
}

/** What failed, told first; that the turn could not be given up either is added to it. */
async function abandonAfter(turn: Turn, cause: unknown): Promise<unknown> {
  try {
    await abandonTurn(turn, codeFailure(cause))
    return cause
  } catch (second) {
    return new AggregateError([cause, second], cause instanceof Error ? cause.message : 'the turn failed')
  }
}
