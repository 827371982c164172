import type { RowSum } from '../../../folded-row.tsx'
import { texts } from '../texts.ts'
import type { CheckRow } from './check-row.ts'

const { sum: text } = texts.checks

function sumScopes(scopes: string): string {
  if (scopes.trim() === '') return text.noToken
  return scopes.trim() === '-' ? text.noScope : text.allowed(scopes)
}

/** One line for a check: its name, and what the User has allowed in it. */
export function sumCheck({ name, scopes }: CheckRow): RowSum {
  return { title: name || text.new, notes: [sumScopes(scopes)] }
}
