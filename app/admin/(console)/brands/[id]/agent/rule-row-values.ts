import { stringify } from 'yaml'
import type { AgentInput } from './agent-form.ts'
import { toPairRows } from './pair-values.ts'
import type { RuleRow } from './rule-row.ts'
import type { RuleTools, ToolArgument } from './rule-tools.ts'

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

type Tool = NonNullable<AgentInput['tools']>[number]

/** The arguments that a rule gives: the User's id comes from the delegation token. */
function argumentsOf({ arguments: schema, userArgument }: Tool): ToolArgument[] {
  const { properties, required } = schema ?? {}
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  const needed = new Set(Array.isArray(required) ? required.map(String) : [])
  return [...new Set([...names, ...needed])]
    .filter((name) => name !== userArgument)
    .map((name) => ({ name, required: needed.has(name) }))
}

/** What an agent's rules may call. */
export function toRuleTools({ tools }: AgentInput): RuleTools {
  return Object.fromEntries(
    (tools ?? []).map((tool) => [tool.name, { scope: tool.scope ?? '', arguments: argumentsOf(tool) }]),
  )
}
