import type { RehearsedTurn } from '../rehearsal.ts'
import type { CheckedTurn } from './schema.ts'

type Call = NonNullable<CheckedTurn['calls']>[number]

/** Without arguments that are the made-up User: a check has another one. */
function toCall({ tool, arguments: made }: RehearsedTurn['calls'][number], userId: string | undefined): Call {
  const told = Object.entries(made).filter(([, value]) => value !== userId || userId === undefined)
  return told.length === 0 ? { tool } : { tool, arguments: Object.fromEntries(told) as Call['arguments'] }
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
  const { steps, actions, missingScopes, close } = turn
  // The Brand's own bot tells of its arguments no more than a hash.
  const isBot = steps.some(({ kind }) => kind === 'bot')
  const calls = isBot
    ? actions.map(({ tool }) => ({ tool }))
    : turn.calls.map((call) => toCall(call, user?.id))
  return {
    say,
    calls,
    ...(missingScopes.length > 0 ? { stepUp: [...missingScopes] } : {}),
    ...(close ? { closes: true } : {}),
  }
}
