import type { Action, SentCall } from './agent.ts'

/** What a receipt says of the calls of a turn (§5.6). */
export function summarise(sent: Iterable<SentCall>): { actions: Action[]; scopesUsed: string[] } {
  const calls = [...sent]
  const scopes = calls.flatMap(({ scopes: used }) => used)
  return { actions: calls.map(({ action }) => action), scopesUsed: [...new Set(scopes)] }
}

/** Whether something at the Brand may be otherwise than before the turn. */
export function mayHaveChanged(sent: Iterable<SentCall>): boolean {
  return [...sent].some(({ changes }) => changes)
}
