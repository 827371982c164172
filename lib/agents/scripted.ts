import { setTimeout as pause } from 'node:timers/promises'
import type { Agent, Answer, SentCalls, StepUp, TokenEnded, TraceStep, Turn } from './agent.ts'
import { answeringTime } from './answering-time.ts'
import { type FoundRule, findRule } from './find-rule.ts'
import { BROKEN_OFF_TEXT, MISSING_SCOPES_TEXT, NO_ANSWER_TEXT } from './fixed-texts.ts'
import { renderReply } from './render-reply.ts'
import { type CompiledRule, compileRule } from './rule.ts'
import { runCalls } from './rule-calls.ts'
import type { ScriptedAgent } from './scripted-schema.ts'
import { mayHaveChanged, summarise } from './sent-calls.ts'
import { assign } from './state.ts'
import { compileTemplate, type Render } from './template.ts'
import { isOutcomeUnknown, type ToolFailure } from './tools/call-tool.ts'
import type { ToolSettings } from './tools/schema.ts'
import { buildTool } from './tools/tool.ts'
import { ToolFailedError } from './tools/tool-failed-error.ts'

/**
 * An agent of ordered rules: the first that applies answers, the fallback answers where none does or where the rule's
 * reply renders blank. A rule's templates see the variables as they were remembered before this turn, `match`, `text`, and
 * what its calls answered; what it sets is for later turns. A rule of which the turn's access lacks a scope calls
 * nothing, and ends the turn in step-up (§5.5).
 *
 * What can't be rendered within its limits counts as blank; where it would be remembered, the variable stays as it was. A
 * failed call is answered in the rule's words, else in the fallback's; but where a call may have changed something, a
 * fixed text says so, since the fallback does not.
 *
 * @param settings valid under `scriptedAgentSchema`
 * @param tools each valid under `toolSchema`
 * @param network.allowPrivate whether they may reach private networks
 * @throws when a template, pattern or tool does not compile, or a rule calls a tool that is not there
 */
export function buildScriptedAgent(
  settings: ScriptedAgent,
  tools: readonly ToolSettings[],
  network = { allowPrivate: false },
): Agent {
  const toolsByName = new Map(tools.map((tool) => [tool.name, buildTool(tool, network)]))
  const rules = settings.rules.map((rule) => compileRule(rule, toolsByName))
  const fallback = compileTemplate(settings.fallback)
  const timeLimit = settings.timeLimitSeconds * 1000
  return {
    timeLimit,
    async run(turn) {
      const startedAt = performance.now()
      const found = findRule(rules, turn)
      turn.trace?.(describeFound(found, rules, performance.now() - startedAt))
      if (found.kind !== 'found') return fallBack(fallback, turn, found.kind === 'gave-up')
      const { rule, match } = found
      const variables = { ...turn.state, match, text: turn.text }
      const missingScopes = findMissingScopes(rule, turn.access?.scopes)
      if (missingScopes.length > 0) return stepUp(rule, missingScopes, variables)
      if (rule.delay > 0) await pause(rule.delay, undefined, { signal: turn.signal })
      if (rule.calls.calls.length === 0) return applyRule(rule, turn, variables, fallback)
      const hindrance = await findHindrance(rule, turn, variables)
      if (hindrance) return hindrance
      const { results, failure } = await runCalls(rule.calls, turn, variables, answeringTime(timeLimit))
      const seen = { ...variables, ...results }
      return failure
        ? answerFailure(rule, turn, seen, fallback, failure)
        : applyRule(rule, turn, seen, fallback)
    },
    answerAtOnce({ text, state }) {
      const turn = { text, state, sent: NOTHING_SENT }
      const found = findRule(rules, turn, 'atOnce')
      if (found.kind === 'gave-up') return undefined
      if (found.kind === 'none') return fallBack(fallback, turn, false)
      const { rule, match } = found
      if (rule.delay > 0 || rule.calls.calls.length > 0) return undefined
      return applyRule(rule, turn, { ...state, match, text }, fallback)
    },
  }
}

/** What answers without a call see of a turn. */
type Said = Pick<Turn, 'text' | 'state' | 'sent'>

const NOTHING_SENT: SentCalls = new Set()

function describeFound(
  found: FoundRule<CompiledRule>,
  rules: readonly CompiledRule[],
  time: number,
): Extract<TraceStep, { kind: 'rule' }> {
  const number = found.kind === 'found' ? rules.indexOf(found.rule) + 1 : undefined
  const fault = found.kind === 'gave-up' ? { fault: 'the rules took too long' } : {}
  return { kind: 'rule', number, time, ...fault }
}

type Variables = Record<string, unknown>

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
  return { missingScopes, text: renderReply([rule.missingScopes], variables, MISSING_SCOPES_TEXT).reply }
}

/** Answers with `reply`, and where it has no text, with what fits what was done. */
function answer(turn: Said, reply: Render | undefined, fallback: Render, variables: Variables): Answer {
  const rendered = mayHaveChanged(turn.sent)
    ? renderReply([reply], variables, BROKEN_OFF_TEXT)
    : renderReply([reply, fallback], variables, NO_ANSWER_TEXT)
  return { ...rendered, state: turn.state, close: false, ...summarise(turn.sent) }
}

function fallBack(fallback: Render, turn: Said, gaveUp: boolean): Answer {
  const fallen = answer(turn, undefined, fallback, { ...turn.state, match: {}, text: turn.text })
  return gaveUp ? { ...fallen, fault: new Error('The rules took too long') } : fallen
}

/** What the rule would set or end stays as it was: it has not come to pass. */
function answerFailure(
  rule: CompiledRule,
  turn: Turn,
  variables: Variables,
  fallback: Render,
  failure: ToolFailure,
): Answer {
  const { tool, status, body, reason } = failure
  const seen = { ...variables, failure: { tool, status, body, unknown: isOutcomeUnknown(failure) } }
  const answered = answer(turn, rule.failed, fallback, seen)
  return rule.failed ? answered : { ...answered, fault: new ToolFailedError(tool, reason) }
}

function applyRule(rule: CompiledRule, turn: Said, variables: Variables, fallback: Render): Answer {
  const answered = answer(turn, rule.reply, fallback, variables)
  const assignments: [string, string | number | boolean | null][] = []
  let { fault } = answered
  for (const [name, value] of rule.assignments) {
    try {
      assignments.push([name, typeof value === 'function' ? value(variables) : value])
    } catch (error) {
      fault ??= error
    }
  }
  return { ...answered, state: assign(turn.state, assignments), close: rule.close, fault }
}
