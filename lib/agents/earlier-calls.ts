import type { Action, EarlierCall } from './agent.ts'

function listNumbers(calls: readonly EarlierCall[]): number[] {
  return calls.flatMap((call) => (call.became === 'held' ? [] : [call.nth]))
}

/**
 * Which number a call that changes something has in a message's run, and with it which `Idempotency-Key`. What an earlier run
 * has done, it does again under the same number: the Brand's API knows it. What one has held back, or what its tool has not
 * done at all, is new.
 *
 * @param made how often this run has made this very call before
 * @param earlier what the message's earlier runs left, in their order
 * @returns undefined: the tool was used in an earlier run, and nobody can tell whether this is the same in other words
 */
export function numberCall(
  { tool, argsHash }: Action,
  made: number,
  earlier: readonly EarlierCall[],
): number | undefined {
  const ofTool = earlier.filter((call) => call.tool === tool)
  const same = ofTool.filter((call) => call.argsHash === argsHash)
  const done = new Set(listNumbers(same.filter(({ became }) => became === 'done')))
  const known = [...done][made]
  if (known !== undefined) return known
  const wasHeld = made === done.size && same.some(({ became }) => became === 'held')
  if (!wasHeld && ofTool.some(({ became }) => became === 'done')) return undefined
  return Math.max(-1, ...listNumbers(same)) + 1 + made - done.size
}
