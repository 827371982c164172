import { randomUUID } from 'node:crypto'
import {
  type Access,
  type Action,
  type Agent,
  type AgentState,
  isStepUp,
  isTokenEnded,
  MAX_PAST_TURNS,
  noUsage,
  type PastTurn,
  type TraceStep,
  type TurnRequest,
  type TurnUsage,
} from './agent.ts'
import { runTurn } from './run-turn.ts'
import type { ToolArguments } from './tools/argument-schema.ts'
import type { ApiCaller, CalledApi } from './tools/call-api.ts'

/** An agent that somebody tries: with a made-up User, and with what stands in for the Brand's API. */
export type Rehearsal = {
  agent: Agent
  brandId: string
  /** Undefined: the turns run under §3, as nobody at the Brand. */
  user: { id: string; scopes: ReadonlySet<string> } | undefined
  callApi: ApiCaller
  /** As a turn's. */
  secret: TurnRequest['secret']
}

/** The conversation until a rehearsed turn. Nothing of it is stored anywhere. */
export type RehearsedPast = { turns: readonly PastTurn[]; state: AgentState }

/** A call of the Brand's API, as it would have gone out, and what answered it. */
export type RehearsedCall = {
  tool: string
  arguments: ToolArguments
  method: string
  url: string
  body: unknown
  answer: CalledApi
}

export type RehearsedTurn = {
  /** What the User is told; undefined where the turn failed. */
  reply: string | undefined
  /** For the operator: what went wrong, though there may be a reply. */
  fault: string | undefined
  /** §5.5: what the User would be asked for; empty: the turn did not end in step-up. */
  missingScopes: readonly string[]
  close: boolean
  state: AgentState
  /** What the agent did, in its order. */
  steps: readonly TraceStep[]
  calls: readonly RehearsedCall[]
  /** What the receipt would tell (§5.6). */
  actions: readonly Action[]
  scopesUsed: readonly string[]
  usage: TurnUsage
  /** In milliseconds. */
  time: number
}

/** The made-up User's access. No API takes its token: calls of tools never leave this process, and a bot's own would be refused. */
function toAccess(user: Rehearsal['user']): Access | undefined {
  if (!user) return undefined
  const { id, scopes } = user
  return { brandUserId: id, scopes, token: 'rehearsal', scopesNow: async () => scopes }
}

function describeFault(fault: unknown): string | undefined {
  if (fault === undefined) return undefined
  if (!(fault instanceof Error)) return 'The agent failed.'
  return fault.cause instanceof Error ? `${fault.message}: ${fault.cause.message}` : fault.message
}

/** Of the conversation as much as a turn would be given: see `history` of a turn. */
function lastTurns(turns: readonly PastTurn[], maxBytes: number): readonly PastTurn[] {
  let room = maxBytes
  const latest = turns.slice(-MAX_PAST_TURNS)
  const first = latest.findLastIndex(({ text, reply }) => {
    room -= Buffer.byteLength(text) + Buffer.byteLength(reply)
    return room < 0
  })
  return latest.slice(first + 1)
}

type Outcome = Omit<RehearsedTurn, 'steps' | 'calls' | 'usage' | 'time'>

function failed(fault: unknown, state: AgentState): Outcome {
  const nothing = { missingScopes: [], close: false, actions: [], scopesUsed: [] }
  return { reply: undefined, fault: describeFault(fault), state, ...nothing }
}

function noting(callApi: ApiCaller, calls: RehearsedCall[]): ApiCaller {
  return async (tool, call) => {
    const answer = await callApi(tool, call)
    const { method, url, body } = call
    calls.push({ tool: tool.name, arguments: call.arguments, method, url, body, answer })
    return answer
  }
}

async function runOnce(
  { agent, brandId, user, callApi, secret }: Rehearsal,
  { turns, state }: RehearsedPast,
  text: string,
  noted: { usage: TurnUsage; trace: (step: TraceStep) => void },
): Promise<Outcome> {
  const outcome = await runTurn(agent, {
    brandId,
    text,
    state,
    contextId: randomUUID(),
    messageId: randomUUID(),
    access: toAccess(user),
    caller: async () => ({ issuer: 'https://rehearsal.invalid', name: 'Rehearsal', subject: 'rehearsal' }),
    history: async (maxBytes) => lastTurns(turns, maxBytes),
    earlierCalls: async () => [],
    secret,
    callApi,
    rehearsed: true,
    ...noted,
  })
  if (isTokenEnded(outcome)) return failed(new Error('The delegation token counts no more'), state)
  const { actions = [], scopesUsed = [], fault } = outcome
  const done = { actions, scopesUsed, fault: describeFault(fault) }
  if (isStepUp(outcome)) {
    return { ...done, reply: outcome.text, missingScopes: outcome.missingScopes, close: false, state }
  }
  return { ...done, reply: outcome.reply, missingScopes: [], close: outcome.close, state: outcome.state }
}

/**
 * Runs one turn of an agent that somebody tries, with the very code that runs turns of conversations, and stores nothing.
 *
 * @param past what was said before, and what the agent remembers of it
 * @returns what came of it. It never rejects: a failure is one of the things to be seen.
 */
export async function rehearseTurn(
  rehearsal: Rehearsal,
  past: RehearsedPast,
  text: string,
): Promise<RehearsedTurn> {
  const steps: TraceStep[] = []
  const usage = noUsage()
  const startedAt = performance.now()
  const calls: RehearsedCall[] = []
  const noted = { usage, trace: (step: TraceStep) => void steps.push(step) }
  const outcome = await runOnce(
    { ...rehearsal, callApi: noting(rehearsal.callApi, calls) },
    past,
    text,
    noted,
  ).catch((fault: unknown) => failed(fault, past.state))
  return { ...outcome, steps, calls, usage, time: performance.now() - startedAt }
}
