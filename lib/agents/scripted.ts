import { setTimeout as pause } from 'node:timers/promises'
import {
  type Agent,
  type AgentState,
  type Answer,
  MAX_REPLY_BYTES,
  type StepUp,
  type TokenEnded,
  type Turn,
} from './agent.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { type CallsOutcome, compileCalls, type RuleCalls, runCalls } from './rule-calls.ts'
import type { Condition, Rule, ScriptedAgent, ToolSettings } from './schema.ts'
import { assign, cutText } from './state.ts'
import { compileTemplate, type Render } from './template.ts'
import { buildTool, type Tool, type ToolFailure } from './tools/call-tool.ts'
import { buildPhrase, hasPhrase, type Phrase, type Tokens, tokenise } from './words.ts'

/** How long the rules of one turn may take together, in milliseconds: the process serves other Brands too. */
const MAX_SEARCH_TIME = 500

/** What a rule says where scopes are missing, when it does not say so itself. */
const MISSING_SCOPES_TEXT = 'I need your permission for that.'

type CompiledRule = {
  state: string | undefined
  phrases: Phrase[] | undefined
  pattern: Pattern | undefined
  calls: RuleCalls
  missingScopes: Render | undefined
  failed: Render | undefined
  assignments: [string, Render | number | boolean | null][]
  reply: Render
  close: boolean
  /** In milliseconds. */
  delay: number
}

/**
 * An agent of ordered rules: the first that applies answers, the fallback answers where none does or where the rule's
 * reply renders blank. A rule's templates see the variables as they were remembered before this turn, `match`, `text`, and
 * what its calls answered; what it sets is for later turns. A rule of which the turn's access lacks a scope calls
 * nothing, and ends the turn in step-up (§5.5).
 *
 * A turn fails when a call does and the rule has no words for it, when the fallback too is blank, or when a template or
 * the rules reach their limits.
 *
 * @param settings valid under `scriptedAgentSchema`
 * @param tools each valid under `toolSchema`
 * @throws when a template, pattern or tool does not compile, or a rule calls a tool that is not there
 */
export function buildScriptedAgent(settings: ScriptedAgent, tools: readonly ToolSettings[]): Agent {
  const toolsByName = new Map(tools.map((tool) => [tool.name, buildTool(tool)]))
  const rules = settings.rules.map((rule) => compileRule(rule, toolsByName))
  const fallback = compileTemplate(settings.fallback)
  return {
    timeLimit: settings.timeLimitSeconds * 1000,
    async run(turn) {
      const found = findRule(rules, turn)
      if (!found) return fallBack(fallback, turn)
      const { rule, match } = found
      const variables = { ...turn.state, match, text: turn.text }
      const missingScopes = findMissingScopes(rule, turn.access?.scopes)
      if (missingScopes.length > 0) return stepUp(rule, missingScopes, variables)
      if (rule.delay > 0) await pause(rule.delay, undefined, { signal: turn.signal })
      if (rule.calls.calls.length === 0) return applyRule(rule, turn, variables, fallback, nothingDone)
      const hindrance = await findHindrance(rule, turn, variables)
      if (hindrance) return hindrance
      const done = await runCalls(rule.calls, turn, variables)
      if (done.failure) return answerFailure(rule, turn, variables, done, done.failure)
      return applyRule(rule, turn, { ...variables, ...done.results }, fallback, done)
    },
  }
}

type Done = Pick<CallsOutcome, 'actions' | 'scopesUsed'>

const nothingDone: Done = { actions: [], scopesUsed: [] }

function compileRule(rule: Rule, tools: ReadonlyMap<string, Tool>): CompiledRule {
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

type Match = Record<string, string>
type Variables = Record<string, unknown>

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

function findMissingScopes(rule: CompiledRule, scopes: ReadonlySet<string> | undefined): string[] {
  return rule.calls.scopes.filter((scope) => !scopes?.has(scope))
}

/** What was taken back before the first call: the turn then ends as if it had been so from its beginning. */
async function findHindrance(
  rule: CompiledRule,
  { access }: Turn,
  variables: Variables,
): Promise<StepUp | TokenEnded | undefined> {
  const scopes = await access?.scopesNow()
  if (access && !scopes) return { tokenEnded: true }
  const missingScopes = findMissingScopes(rule, scopes)
  return missingScopes.length > 0 ? stepUp(rule, missingScopes, variables) : undefined
}

function stepUp(rule: CompiledRule, missingScopes: string[], variables: Variables): StepUp {
  const candidates = rule.missingScopes ? [rule.missingScopes, sayMissingScopes] : [sayMissingScopes]
  return { missingScopes, text: renderReply(candidates, variables) }
}

const sayMissingScopes: Render = () => MISSING_SCOPES_TEXT

function fallBack(fallback: Render, turn: Turn): Answer {
  const variables = { ...turn.state, match: {}, text: turn.text }
  return { reply: renderReply([fallback], variables), state: turn.state, close: false, ...nothingDone }
}

/** The rule's words for a failed call. What it would set or end stays as it was: it has not come to pass. */
function answerFailure(
  rule: CompiledRule,
  { state, signal }: Turn,
  variables: Variables,
  { actions, scopesUsed, results }: CallsOutcome,
  failure: ToolFailure,
): Answer {
  if (!rule.failed || signal.aborted) throw new Error(`The tool ${failure.tool} failed: ${failure.reason}`)
  const { tool, status, body } = failure
  const reply = renderReply([rule.failed], { ...variables, ...results, failure: { tool, status, body } })
  return { reply, state, close: false, actions, scopesUsed }
}

function applyRule(
  rule: CompiledRule,
  turn: Turn,
  variables: Variables,
  fallback: Render,
  { actions, scopesUsed }: Done,
): Answer {
  const assignments = rule.assignments.map(([name, value]): [string, string | number | boolean | null] => [
    name,
    typeof value === 'function' ? value(variables) : value,
  ])
  return {
    reply: renderReply([rule.reply, fallback], variables),
    state: assign(turn.state, assignments),
    close: rule.close,
    actions,
    scopesUsed,
  }
}

/** The first of `candidates` that is not blank, without the white space that a template's tags leave around it. */
function renderReply(candidates: Render[], variables: Variables): string {
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
