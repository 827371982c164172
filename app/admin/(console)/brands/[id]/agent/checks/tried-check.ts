import type { CheckRow } from './check-sum.ts'

/** The most turns that a check has. */
const MOST_TURNS = 10
const LONGEST_NAME = 80

/** A turn that was tried, in the words of a check's fields. */
export type TriedTurn = { say: string; turn: string } & Pick<CheckRow, 'scopes' | 'answers'>

const keyOf = (brandId: string) => `pact:tried-check:${brandId}`

/**
 * The check that a tried conversation makes: its last turns under one and the same permission, since a check has one; with
 * the answers of the last. Undefined: nothing was tried.
 */
export function toCheckRow(tried: readonly TriedTurn[]): CheckRow | undefined {
  const last = tried.at(-1)
  if (!last) return undefined
  const before = tried.findLastIndex(({ scopes }) => scopes !== last.scopes)
  const turns = tried.slice(before + 1).slice(-MOST_TURNS)
  const name = (turns[0]?.say ?? '').replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME)
  return {
    name,
    scopes: last.scopes,
    answers: last.answers,
    turns: turns.map(({ turn }) => turn).join('\n'),
  }
}

/** Keeps a check for the page of checks, in this tab alone: what was tried goes nowhere else. */
export function keepTriedCheck(brandId: string, row: CheckRow): void {
  sessionStorage.setItem(keyOf(brandId), JSON.stringify(row))
}

/** What {@link keepTriedCheck} kept, once. */
export function takeTriedCheck(brandId: string): CheckRow | undefined {
  const kept = sessionStorage.getItem(keyOf(brandId))
  sessionStorage.removeItem(keyOf(brandId))
  return kept === null ? undefined : (JSON.parse(kept) as CheckRow)
}
