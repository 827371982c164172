import { stringify } from 'yaml'
import type { AgentInput } from './agent-form.ts'
import { toPairRows } from './pair-values.ts'
import type { RuleRow } from './rule-row.ts'
import type { ToolScopes } from './rule-sum.ts'

type Rule = NonNullable<Extract<AgentInput, { driver: 'scripted' }>['rules']>[number]

/** What YAML a field shows of a value. */
export function toYaml(value: unknown): string {
  return value === undefined ? '' : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false }).trimEnd()
}

/** A rule as its fields show it. */
export function toRuleRow({
  when,
  call,
  set,
  reply,
  missingScopes,
  failed,
  delaySeconds,
  close,
}: Rule): RuleRow {
  return {
    when: { words: when.words?.join('\n') ?? '', match: when.match ?? '', state: when.state ?? '' },
    reply,
    call: (call ?? []).map(({ tool, arguments: values, as }) => ({
      tool,
      as: as ?? '',
      arguments: toPairRows(values),
    })),
    set: toPairRows(set),
    missingScopes: missingScopes ?? '',
    failed: failed ?? '',
    delaySeconds: delaySeconds === undefined ? '' : String(delaySeconds),
    close: close ?? false,
  }
}

/** Which scope each tool of an agent needs. */
export function toToolScopes({ tools }: AgentInput): ToolScopes {
  return Object.fromEntries((tools ?? []).map(({ name, scope }) => [name, scope ?? '']))
}
