import { setTimeout as pause } from 'node:timers/promises'
import { type Agent, type AgentState, MAX_REPLY_BYTES, type Turn, type TurnOutcome } from './agent.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import type { Condition, Rule, ScriptedAgent } from './schema.ts'
import { assign, cutText } from './state.ts'
import { parseTemplate } from './template.ts'
import { buildPhrase, hasPhrase, type Phrase, type Tokens, tokenise } from './words.ts'

/** How long the rules of one turn may take together, in milliseconds: the process serves other Brands too. */
const MAX_SEARCH_TIME = 500

type Render = (variables: Record<string, unknown>) => string

type CompiledRule = {
  state: string | undefined
  phrases: Phrase[] | undefined
  pattern: Pattern | undefined
  assignments: [string, Render | number | boolean | null][]
  reply: Render
  close: boolean
  /** In milliseconds. */
  delay: number
}

/**
 * An agent of ordered rules: the first that applies answers, the fallback answers where none does or where the rule's
 * reply renders blank. A rule's templates see the variables as they were remembered before this turn, `match` and `text`;
 * what it sets is for later turns. Tools are not run here: a rule that calls some does not apply.
 *
 * A turn fails when the fallback too is blank, or when a template or the rules reach their limits.
 *
 * @param settings valid under `scriptedAgentSchema`
 * @throws when a template or pattern does not compile
 */
export function buildScriptedAgent(settings: ScriptedAgent): Agent {
  const rules = settings.rules.filter((rule) => !rule.call).map(compileRule)
  const fallback = compileTemplate(settings.fallback)
  return {
    timeLimit: settings.timeLimitSeconds * 1000,
    async run(turn) {
      const found = findRule(rules, turn)
      if (!found) return fallBack(fallback, turn)
      if (found.rule.delay > 0) await pause(found.rule.delay, undefined, { signal: turn.signal })
      return applyRule(found.rule, found.match, turn, fallback)
    },
  }
}

function compileRule(rule: Rule): CompiledRule {
  return {
    ...compileCondition(rule.when),
    assignments: Object.entries(rule.set ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? compileTemplate(value) : value,
    ]),
    reply: compileTemplate(rule.reply),
    close: rule.close ?? false,
    delay: (rule.delaySeconds ?? 0) * 1000,
  }
}

function compileCondition(condition: Condition): Pick<CompiledRule, 'state' | 'phrases' | 'pattern'> {
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

function compileTemplate(source: string): Render {
  const parsed = parseTemplate(source)
  if (!parsed.ok) throw new Error(`Not a valid template: ${parsed.reason}`)
  return parsed.render
}

type Match = Record<string, string>

function findRule(rules: CompiledRule[], turn: Turn): { rule: CompiledRule; match: Match } | undefined {
  const deadline = performance.now() + MAX_SEARCH_TIME
  let tokens: Tokens | undefined
  for (const rule of rules) {
    if (rule.state !== undefined && !isInState(turn.state, rule.state)) continue
    if (rule.phrases) {
      tokens ??= tokenise(turn.text)
      if (!hasAnyPhrase(tokens, rule.phrases)) continue
    }
    if (!rule.pattern) return { rule, match: {} }
    if (performance.now() > deadline) throw new Error('The rules took too long')
    const match = rule.pattern.match(turn.text)
    if (match) return { rule, match }
  }
  return undefined
}

function isInState(state: AgentState, expected: string): boolean {
  return Object.hasOwn(state, 'state') && String(state.state) === expected
}

function hasAnyPhrase(tokens: Tokens, phrases: Phrase[]): boolean {
  for (const phrase of phrases) if (hasPhrase(tokens, phrase)) return true
  return false
}

function fallBack(fallback: Render, turn: Turn): TurnOutcome {
  const variables = { ...turn.state, match: {}, text: turn.text }
  return { reply: renderReply([fallback], variables), state: turn.state, close: false }
}

function applyRule(rule: CompiledRule, match: Match, turn: Turn, fallback: Render): TurnOutcome {
  const variables = { ...turn.state, match, text: turn.text }
  const assignments = rule.assignments.map(([name, value]): [string, string | number | boolean | null] => [
    name,
    typeof value === 'function' ? value(variables) : value,
  ])
  return {
    reply: renderReply([rule.reply, fallback], variables),
    state: assign(turn.state, assignments),
    close: rule.close,
  }
}

/** The first of `candidates` that is not blank, without the white space that a template's tags leave around it. */
function renderReply(candidates: Render[], variables: Record<string, unknown>): string {
  for (const render of candidates) {
    const reply = cutReply(render(variables).trim())
    if (reply !== '') return reply
  }
  throw new Error('The reply and the fallback are blank')
}

/** A rule may repeat what the User said: however long that was, the reply can be sent. */
function cutReply(text: string): string {
  const reply = cutText(text, MAX_REPLY_BYTES)
  const size = Buffer.byteLength(reply)
  if (size <= MAX_REPLY_BYTES) return reply
  return new TextDecoder().decode(Buffer.from(reply).subarray(0, MAX_REPLY_BYTES)).replace(/\uFFFD$/, '')
}
