import { isStorable } from '#lib/platform/text.ts'
import {
  type Agent,
  type Answer,
  MAX_REPLY_BYTES,
  type SentCalls,
  type StepUp,
  type Turn,
  type TurnOutcome,
  type TurnRequest,
} from './agent.ts'
import { BROKEN_OFF_TEXT } from './fixed-texts.ts'
import { summarise } from './sent-calls.ts'
import { findStateFault } from './state.ts'

/** The agent took longer than its time limit. */
export class AgentTimeoutError extends Error {
  override name = 'AgentTimeoutError'

  /** @param timeLimit in milliseconds */
  constructor(timeLimit: number) {
    super(`The agent did not answer within ${timeLimit} ms`)
  }
}

/** The process ends, and does not wait for the agent any longer. */
export class AgentStoppedError extends Error {
  override name = 'AgentStoppedError'
}

/** The agent failed, or answered with something that is not an answer. `cause` says how. */
export class AgentFailedError extends Error {
  override name = 'AgentFailedError'
}

/**
 * Runs one turn within the agent's time limit, and checks what comes back. A turn that fails once a call was sent has an
 * answer all the same: it says what was sent, so that nobody repeats it unaware.
 *
 * @param stop ends the turn before its time
 * @throws AgentTimeoutError past the time limit; the turn's signal has fired, and what the agent still does is discarded
 * @throws AgentStoppedError in the same way when `stop` fires
 * @throws AgentFailedError when the agent fails, or its outcome can't be stored and sent
 */
export async function runTurn(agent: Agent, request: TurnRequest, stop?: AbortSignal): Promise<TurnOutcome> {
  const controller = new AbortController()
  const sent: SentCalls = new Set()
  const endsAt = performance.now() + agent.timeLimit
  const deadline = Promise.withResolvers<never>()
  const end = (error: Error) => {
    deadline.reject(error)
    controller.abort(error)
  }
  const timer = setTimeout(() => end(new AgentTimeoutError(agent.timeLimit)), agent.timeLimit)
  const onStop = () => end(new AgentStoppedError('The process ends'))
  stop?.addEventListener('abort', onStop)
  try {
    const answer = runAgent(agent, { ...request, signal: controller.signal, endsAt, sent })
    return await Promise.race([answer, deadline.promise])
  } catch (fault) {
    if (sent.size === 0) throw fault
    return breakOff(request, sent, fault)
  } finally {
    clearTimeout(timer)
    stop?.removeEventListener('abort', onStop)
  }
}

/**
 * The answer of a turn that the agent can give at once, checked like any other.
 *
 * @returns undefined where the turn has to run: it then says what is wrong, too
 */
export function answerAtOnce(agent: Agent, said: Pick<TurnRequest, 'text' | 'state'>): Answer | undefined {
  try {
    const answer = agent.answerAtOnce?.(said)
    return answer?.actions?.length === 0 && findOutcomeFault(answer) === undefined ? answer : undefined
  } catch {
    return undefined
  }
}

function breakOff({ state }: TurnRequest, sent: SentCalls, fault: unknown): Answer {
  return { reply: BROKEN_OFF_TEXT, state, close: false, ...summarise(sent), fault }
}

async function runAgent(agent: Agent, turn: Turn): Promise<TurnOutcome> {
  let outcome: TurnOutcome
  try {
    outcome = await agent.run(turn)
  } catch (cause) {
    throw new AgentFailedError('The agent failed', { cause })
  }
  const fault = findOutcomeFault(outcome) ?? findLostCalls(outcome, turn.sent)
  if (fault) throw new AgentFailedError(`The agent's answer is unusable: ${fault}`)
  return outcome
}

/** What was sent must be told: a turn whose token ended must not have called anything. */
function findLostCalls(outcome: TurnOutcome, sent: SentCalls): string | undefined {
  const told = 'actions' in outcome ? (outcome.actions?.length ?? 0) : 0
  return told < sent.size ? 'it does not tell of every call' : undefined
}

/** An agent may be somebody else's program: its answer is not trusted to be of the type that it should be. */
function findOutcomeFault(outcome: unknown): string | undefined {
  if (typeof outcome !== 'object' || outcome === null) return 'it is not an object'
  if ('tokenEnded' in outcome) return undefined
  if ('missingScopes' in outcome) return findStepUpFault(outcome as Record<keyof StepUp, unknown>)
  const { reply, state, close, actions, scopesUsed } = outcome as Record<keyof Answer, unknown>
  const textFault = findTextFault(reply)
  if (textFault) return textFault
  if (typeof close !== 'boolean') return 'it does not say whether the conversation ends'
  return findDoneFault(actions, scopesUsed) ?? findStateFault(state)
}

function findDoneFault(actions: unknown, scopesUsed: unknown): string | undefined {
  if (!Array.isArray(actions)) return 'it does not say what was done'
  return isListOfText(scopesUsed) ? undefined : 'it does not say which scopes were used'
}

function findStepUpFault(stepUp: Record<keyof StepUp, unknown>): string | undefined {
  const { missingScopes, text, actions = [], scopesUsed = [] } = stepUp
  if (!isListOfText(missingScopes) || missingScopes.length === 0) return 'it misses no scope'
  const faultOfDone = findDoneFault(actions, scopesUsed)
  if (faultOfDone) return faultOfDone
  return findTextFault(text)
}

function isListOfText(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function findTextFault(text: unknown): string | undefined {
  if (typeof text !== 'string' || text.trim() === '') return 'the reply is blank'
  if (!isStorable(text)) return "the reply can't be stored"
  return Buffer.byteLength(text) > MAX_REPLY_BYTES ? 'the reply is too long' : undefined
}
