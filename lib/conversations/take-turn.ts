import type { Agent } from '#lib/agents/agent.ts'
import { runTurn } from '#lib/agents/run-turn.ts'
import { processState } from '#lib/platform/process-state.ts'
import { type Claim, claimFirstTurn, claimNextTurn, type Turn } from './claim-turn.ts'
import type { IncomingMessage, Owner, TurnResult } from './conversation.ts'
import { abandonTurn, closeRestedConversation, settleTurn } from './settle-turn.ts'
import { callNext, standInLine } from './turn-line.ts'

/** Added to the agent's time limit, so that a turn which ends in time also settles in time; in milliseconds. */
const SETTLING_TIME = 5_000

/** The turns that this process runs. */
function running(): Set<Turn> {
  return processState('running-turns', () => new Set<Turn>())
}

type Counterpart = {
  agent: Agent
  /** How long a conversation may rest before it is closed, in milliseconds. */
  idleTime: number
}

/**
 * One turn (§4): claim, run, settle. Nothing is held in the database while the agent runs. Turns of one conversation run
 * one at a time, across processes; a repeated message gets the stored reply, and the agent does not run again (§4.3).
 *
 * @throws when the database fails; then the message was not stored, or stays without a reply
 */
export async function takeTurn(
  owner: Owner,
  message: IncomingMessage,
  brand: Counterpart,
): Promise<TurnResult> {
  const times = { turnTime: brand.agent.timeLimit + SETTLING_TIME, idleTime: brand.idleTime }
  const { contextId } = message
  if (contextId === undefined) {
    const turn = await claimFirstTurn(owner, message, times)
    return runClaimedTurn(turn, message, brand.agent)
  }
  const claim = await claimInOrder(contextId, brand.agent.timeLimit, (mayBegin) =>
    claimNextTurn(owner, { ...message, contextId }, times, mayBegin),
  )
  if (claim.kind === 'claimed') return runClaimedTurn(claim.turn, message, brand.agent)
  if (claim.kind === 'closed' && claim.rested) await closeRestedConversation(owner, contextId, brand.idleTime)
  return claim
}

/** Claims in the order in which messages came, at once where nobody waits. A message sent before never waits. */
async function claimInOrder(
  contextId: string,
  patience: number,
  claim: (mayBegin: boolean) => Promise<Claim>,
): Promise<Claim> {
  const claimed = await standInLine(contextId, patience, async (first) => {
    const made = await claim(first)
    return made.kind === 'busy' ? undefined : made
  })
  return claimed ?? { kind: 'busy' }
}

async function runClaimedTurn(turn: Turn, message: IncomingMessage, agent: Agent): Promise<TurnResult> {
  running().add(turn)
  try {
    const outcome = await runTurn(agent, { text: message.text, state: turn.state })
    const reply = await settleTurn(turn, outcome)
    return reply
      ? { kind: 'replied', reply }
      : { kind: 'failed', cause: new Error('the turn settled too late') }
  } catch (cause) {
    return { kind: 'failed', cause: await abandonAfter(turn, cause) }
  } finally {
    running().delete(turn)
    callNext(turn.contextId)
  }
}

/** What failed, told first; that the turn could not be given up either is added to it. */
async function abandonAfter(turn: Turn, cause: unknown): Promise<unknown> {
  try {
    await abandonTurn(turn)
    return cause
  } catch (second) {
    return new AggregateError([cause, second], cause instanceof Error ? cause.message : 'the turn failed')
  }
}

/**
 * Gives up every turn that this process still runs, so that their conversations need not wait for a process that ends:
 * their messages stay unanswered (§4.3).
 */
export async function abandonRunningTurns(): Promise<void> {
  await Promise.allSettled([...running()].map(abandonTurn))
}
