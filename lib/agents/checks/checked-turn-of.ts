import type { RehearsedTurn } from '../rehearsal.ts'
import { type CheckedTurn, expectedCallsSchema } from './schema.ts'

type Call = NonNullable<CheckedTurn['calls']>[number]

/** Without arguments that are the made-up User: a check has another one. */
function toCall({ tool, arguments: made }: RehearsedTurn['calls'][number], userId: string | undefined): Call {
  const told = Object.entries(made).filter(([, value]) => value !== userId || userId === undefined)
  return told.length === 0 ? { tool } : { tool, arguments: Object.fromEntries(told) as Call['arguments'] }
}

function noteCalls(
  { steps, actions, calls }: RehearsedTurn,
  userId: string | undefined,
): CheckedTurn['calls'] {
  // The Brand's own bot tells of its arguments no more than a hash.
  const isBot = steps.some(({ kind }) => kind === 'bot')
  const noted = isBot ? actions.map(({ tool }) => ({ tool })) : calls.map((call) => toCall(call, userId))
  // A bot may name what it did as no check can: then the check doesn't look at the calls.
  return expectedCallsSchema.safeParse(noted).data
}

/**
 * What a check wants of a turn that somebody tried, so that it passes as long as the agent does the same: which tools it
 * calls and with what, which scopes it asks for, whether it ends the conversation. What it replies is left to its author.
 *
 * @param user as whom it was tried
 */
export function checkedTurnOf(
  say: string,
  turn: RehearsedTurn,
  user: { id: string } | undefined,
): CheckedTurn {
  const calls = noteCalls(turn, user?.id)
  return {
    say,
    ...(calls ? { calls } : {}),
    ...(turn.missingScopes.length > 0 ? { stepUp: [...turn.missingScopes] } : {}),
    ...(turn.close ? { closes: true } : {}),
  }
}
