import type { PairRow } from './pair-values.ts'

/** A call of a tool as its fields show it, and are named. */
export type CallRow = { tool: string; as: string; arguments: PairRow[] }

/** A rule as its fields show it, and are named. */
export type RuleRow = {
  when: { words: string; match: string; state: string }
  reply: string
  call: CallRow[]
  set: PairRow[]
  missingScopes: string
  failed: string
  delaySeconds: string
  close: boolean
}

export const blankCall: CallRow = { tool: '', as: '', arguments: [] }

export const blankRule: RuleRow = {
  when: { words: '', match: '', state: '' },
  reply: '',
  call: [],
  set: [],
  missingScopes: '',
  failed: '',
  delaySeconds: '',
  close: false,
}
