import type { RowSum } from '../../folded-row.tsx'
import type { RuleRow } from './rule-row.ts'
import type { RuleTools } from './rule-tools.ts'
import { texts } from './texts.ts'

/** As many words are named: more would hide what the rule calls. */
const NAMED = 4

const { sum: text } = texts.scripted

function sumCondition({ words, match, state }: RuleRow['when']): string[] {
  const given = words.split('\n').filter((word) => word.trim() !== '')
  return [
    ...(given.length > 0 ? [text.words(given.slice(0, NAMED), Math.max(0, given.length - NAMED))] : []),
    ...(match === '' ? [] : [text.match(match)]),
    ...(state === '' ? [] : [text.state(state)]),
  ]
}

/** One line for a rule: what it listens for, what it calls, what that needs. */
export function sumRule({ when, call, close }: RuleRow, tools: RuleTools): RowSum {
  const [title = text.always, ...conditions] = sumCondition(when)
  const called = call.map(({ tool }) => tool).filter((tool) => tool !== '')
  const needed = [...new Set(called.map((name) => tools[name]?.scope ?? ''))].filter((scope) => scope !== '')
  return {
    title,
    notes: [
      ...conditions,
      ...(called.length > 0 ? [text.calls(called.join(', '))] : []),
      ...(needed.length > 0 ? [text.needs(needed.join(', '))] : []),
      ...(close ? [text.closes] : []),
    ],
  }
}
