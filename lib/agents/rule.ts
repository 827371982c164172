import { compilePattern, type Pattern } from './pattern.ts'
import { compileCalls, type RuleCalls } from './rule-calls.ts'
import type { Condition, Rule } from './scripted-schema.ts'
import { compileTemplate, type Render } from './template.ts'
import type { Tool } from './tools/tool.ts'
import { buildPhrase, type Phrase } from './words.ts'

/** When a rule applies: every condition that is there must hold. */
export type CompiledCondition = {
  state: string | undefined
  phrases: readonly Phrase[] | undefined
  pattern: Pattern | undefined
}

/** A rule, ready for any number of turns. */
export type CompiledRule = CompiledCondition & {
  calls: RuleCalls
  missingScopes: Render | undefined
  failed: Render | undefined
  assignments: readonly [string, Render | number | boolean | null][]
  reply: Render
  close: boolean
  /** In milliseconds. */
  delay: number
}

/**
 * Compiles a rule.
 *
 * @throws when a template or pattern does not compile, or it calls a tool that is not among `tools`
 */
export function compileRule(rule: Rule, tools: ReadonlyMap<string, Tool>): CompiledRule {
  return {
    ...compileCondition(rule.when),
    calls: compileCalls(rule.call, tools),
    missingScopes: rule.missingScopes === undefined ? undefined : compileTemplate(rule.missingScopes),
    failed: rule.failed === undefined ? undefined : compileTemplate(rule.failed),
    assignments: Object.entries(rule.set ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? compileTemplate(value) : value,
    ]),
    reply: compileTemplate(rule.reply),
    close: rule.close ?? false,
    delay: (rule.delaySeconds ?? 0) * 1000,
  }
}

function compileCondition(condition: Condition): CompiledCondition {
  return {
    state: condition.state,
    phrases: condition.words?.map(buildPhrase).filter((phrase) => phrase !== undefined),
    pattern: condition.match === undefined ? undefined : requirePattern(condition.match),
  }
}

function requirePattern(source: string): Pattern {
  const compiled = compilePattern(source)
  if (!compiled.ok) throw new Error(`Not a valid pattern: ${compiled.reason}`)
  return compiled.pattern
}
