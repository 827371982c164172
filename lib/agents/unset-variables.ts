import { compilePattern } from './pattern.ts'
import type { Rule, ScriptedAgent } from './scripted-schema.ts'
import { listVariables } from './template.ts'

/** What a rule, or the fallback, shows though nothing sets it: it always renders blank. */
export type UnsetVariables = {
  /** From 1; undefined: the fallback. */
  rule: number | undefined
  /** As templates name them: `order.state`. */
  variables: readonly string[]
}

/** What a template may show: names, and of `match` the groups alone. */
type Known = { names: ReadonlySet<string>; groups: ReadonlySet<string> }

const textsIn = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.values(values).filter((value) => typeof value === 'string')

function isKnown([name = '', member]: readonly string[], { names, groups }: Known): boolean {
  if (name === 'match') return member === undefined || groups.has(member)
  return names.has(name)
}

function findIn(templates: readonly (string | undefined)[], known: Known): string[] {
  const shown = templates.flatMap((template) => (template === undefined ? [] : listVariables(template)))
  return shown.filter((path) => !isKnown(path, known)).map((path) => path.join('.'))
}

function groupsOf({ match }: Rule['when']): ReadonlySet<string> {
  const compiled = match === undefined ? undefined : compilePattern(match)
  return new Set(compiled?.ok ? compiled.pattern.groups : [])
}

function findInRule(rule: Rule, remembered: ReadonlySet<string>): string[] {
  const groups = groupsOf(rule.when)
  const names = new Set([...remembered, 'text'])
  const missing = findIn([rule.missingScopes], { names, groups })
  for (const call of rule.call ?? []) {
    missing.push(...findIn(textsIn(call.arguments), { names, groups }))
    if (call.as !== undefined) names.add(call.as)
  }
  missing.push(...findIn([rule.reply, ...textsIn(rule.set)], { names, groups }))
  return [...missing, ...findIn([rule.failed], { names: new Set([...names, 'failure']), groups })]
}

/**
 * Finds what the templates of an agent of rules show though nothing sets it: neither its rule's calls and pattern, nor what any
 * rule remembers. That is no fault, but hardly what its author meant.
 */
export function findUnsetVariables({
  rules,
  fallback,
}: Pick<ScriptedAgent, 'rules' | 'fallback'>): UnsetVariables[] {
  const remembered = new Set(rules.flatMap(({ set = {} }) => Object.keys(set)))
  const ofRules = rules.map((rule, index) => ({
    rule: index + 1,
    variables: [...new Set(findInRule(rule, remembered))],
  }))
  const names = new Set([...remembered, 'text'])
  const ofFallback = { rule: undefined, variables: findIn([fallback], { names, groups: new Set() }) }
  return [...ofRules, ofFallback].filter(({ variables }) => variables.length > 0)
}
