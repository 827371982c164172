import { compilePattern } from './pattern.ts'
import type { Rule, ScriptedAgent } from './scripted-schema.ts'
import { listVariables } from './template.ts'

/** What a rule, or the fallback, shows though nothing ever sets it. */
export type UnsetVariables = {
  /** From 1; undefined: the fallback. */
  rule: number | undefined
  /** As templates name them: `order.state`. */
  variables: readonly string[]
}

/** What a template may show. */
type Known = {
  /** Texts, numbers and the like: they have no members. */
  plain: ReadonlySet<string>
  /** What calls answered, and why one failed. */
  results: ReadonlySet<string>
  /** The groups of `match`. */
  groups: ReadonlySet<string>
}

const textsIn = (values: Readonly<Record<string, unknown>> = {}) =>
  Object.values(values).filter((value) => typeof value === 'string')

function isKnown([name = '', member]: readonly string[], { plain, results, groups }: Known): boolean {
  if (results.has(name)) return true
  if (name === 'match') return member === undefined || groups.has(member)
  return plain.has(name) && (member === undefined || member === 'size')
}

function findIn(templates: readonly (string | undefined)[], known: Known): string[] {
  const shown = templates.flatMap((template) => (template === undefined ? [] : listVariables(template)))
  return [...new Set(shown.filter((path) => !isKnown(path, known)).map((path) => path.join('.')))]
}

function groupsOf({ match }: Rule['when']): readonly string[] {
  const compiled = match === undefined ? undefined : compilePattern(match)
  return compiled?.ok ? compiled.pattern.groups : []
}

const resultsOf = ({ call = [] }: Rule) => call.flatMap(({ as }) => (as === undefined ? [] : [as]))

function findInRule(rule: Rule, plain: ReadonlySet<string>, groups: readonly string[]): string[] {
  const results = new Set<string>()
  const known = { plain, results, groups: new Set(groups) }
  const missing = findIn([rule.missingScopes], known)
  for (const call of rule.call ?? []) {
    missing.push(...findIn(textsIn(call.arguments), known))
    if (call.as !== undefined) results.add(call.as)
  }
  missing.push(...findIn([rule.reply, ...textsIn(rule.set)], known))
  missing.push(...findIn([rule.failed], { ...known, results: new Set([...results, 'failure']) }))
  return [...new Set(missing)]
}

/** What rules remember: one that sets null forgets. */
function rememberedBy(rules: readonly Rule[]): string[] {
  return rules.flatMap(({ set = {} }) => Object.keys(set).filter((name) => set[name] !== null))
}

/**
 * Finds what the templates of an agent of rules show though nothing ever sets it: neither the rule's calls and pattern, nor what
 * any rule remembers. That is no fault, but hardly what its author meant. The fallback sees what the rule had for which it
 * stands in.
 */
export function findUnsetVariables({
  rules,
  fallback,
}: Pick<ScriptedAgent, 'rules' | 'fallback'>): UnsetVariables[] {
  const plain = new Set([...rememberedBy(rules), 'text'])
  const groups = rules.map(({ when }) => groupsOf(when))
  const ofRules = rules.map((rule, index) => ({
    rule: index + 1,
    variables: findInRule(rule, plain, groups[index] ?? []),
  }))
  const ofAny = {
    plain,
    results: new Set([...rules.flatMap(resultsOf), 'failure']),
    groups: new Set(groups.flat()),
  }
  const ofFallback = { rule: undefined, variables: findIn([fallback], ofAny) }
  return [...ofRules, ofFallback].filter(({ variables }) => variables.length > 0)
}
