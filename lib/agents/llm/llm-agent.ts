import { withinTime } from '#lib/platform/within-time.ts'
import type { Agent, Turn, TurnOutcome } from '../agent.ts'
import { LLM_API_KEY } from '../agent-secrets.ts'
import { answeringTime } from '../answering-time.ts'
import { BROKEN_OFF_TEXT, MISSING_SCOPES_TEXT, NO_ANSWER_TEXT } from '../fixed-texts.ts'
import type { LlmAgent } from '../llm-schema.ts'
import { cutReply } from '../render-reply.ts'
import { mayHaveChanged, summarise } from '../sent-calls.ts'
import type { ToolSettings } from '../tools/schema.ts'
import { type ContextWindow, MIN_ANSWER_BYTES, measureWindow } from './context-window.ts'
import { buildLeakCheck, type LeakCheck } from './leak-check.ts'
import type { Model, ModelAnswer, ModelQuestion } from './model.ts'
import { ModelFailure } from './model-failure.ts'
import { buildModelTools, type ModelTool } from './model-tools.ts'
import { runModelCalls, type TurnCalls } from './run-model-calls.ts'
import { openBudget } from './token-budget.ts'
import { addResults, addWishes, fitMessages, openMessages } from './turn-messages.ts'

type Parts = {
  settings: LlmAgent
  tools: ReadonlyMap<string, ModelTool>
  window: ContextWindow
  isLeak: LeakCheck
  model: Promise<Model>
}

/** What came of a turn's talk with the model: its last words, or why there are none. */
type Said = { text: string; fault?: unknown; withheld?: true }

/**
 * An agent that a model speaks for. What it is asked to do by whomever (instructions, a User, a tool's answer), it can only
 * answer, and wish for calls of the Brand's tools; {@link runModelCalls} decides on those. A turn in which it wished for a
 * call that the token does not allow ends in step-up (§5.5), whatever it says.
 *
 * Where the model gives no usable answer, the Brand's words for that are the reply; without such words the turn fails, unless
 * something was called.
 *
 * @param settings valid under `llmAgentSchema`
 * @param toolSettings each valid under `toolSchema`
 * @param network.allowPrivate whether they may reach private networks
 */
export function buildLlmAgent(
  settings: LlmAgent,
  toolSettings: readonly ToolSettings[],
  network = { allowPrivate: false },
): Agent {
  const tools = buildModelTools(toolSettings, network)
  // Only processes that run such an agent load the packages for it.
  const model = import('./model.ts').then(({ buildModel }) => buildModel(settings, tools))
  model.catch(() => {})
  const window = measureWindow(settings, tools)
  const parts = { settings, tools, window, isLeak: buildLeakCheck(settings.instructions), model }
  return { timeLimit: settings.timeLimitSeconds * 1000, run: (turn) => answerTurn(turn, parts) }
}

async function answerTurn(turn: Turn, parts: Parts): Promise<TurnOutcome> {
  const calls: TurnCalls = {
    turn,
    tools: parts.tools,
    until: turn.endsAt - answeringTime(parts.settings.timeLimitSeconds * 1000),
    answerBytes: parts.window.answerBytes,
    room: parts.window.messageBytes,
    missing: new Set(),
    tokenEnded: false,
    checking: 0,
    sent: 0,
    repetitions: new Map(),
    earlier: undefined,
    forNextRun: [],
  }
  const said = await talk(turn, calls, parts).catch((fault: unknown): Said => {
    if (fault instanceof ModelFailure) return { text: '', fault }
    throw fault
  })
  if (calls.tokenEnded && turn.sent.size === 0) return { tokenEnded: true }
  return conclude(turn, calls, checkWords(said, parts), parts.settings)
}

/** Talks with the model, within the time that is left for it. */
async function talk(turn: Turn, calls: TurnCalls, parts: Parts): Promise<Said> {
  const messages = await openMessages(turn, parts.window)
  const apiKey = await turn.secret(LLM_API_KEY, parts.settings.endpoint)
  const timeLeft = Math.max(0, Math.floor(calls.until - performance.now()))
  return withinTime(timeLeft, turn.signal, (signal) =>
    converse(turn, calls, parts, { messages, apiKey, signal }),
  )
}

type Opened = Pick<ModelQuestion, 'apiKey' | 'signal'> & {
  messages: Awaited<ReturnType<typeof openMessages>>
}

/** Asks the model, makes the calls that it wishes for, and asks again, until it only speaks. */
async function converse(turn: Turn, calls: TurnCalls, parts: Parts, opened: Opened): Promise<Said> {
  const { settings, tools, window } = parts
  const { apiKey, signal } = opened
  let { messages } = opened
  const budget = openBudget(settings)
  const ask = async (mayCall: boolean) => {
    if (!budget.mayAsk()) throw new ModelFailure('The turn has used up its tokens')
    const given = fitMessages(messages, window)
    const question = { messages: given, apiKey, mayCall, signal }
    const answer = await askModel(turn, await parts.model, settings.model, question)
    budget.spend(answer, Buffer.byteLength(settings.instructions + JSON.stringify(given)))
    return answer
  }
  for (let step = 1; step < settings.maxSteps && tools.size > 0 && budget.mayCall(); step++) {
    const answer = await ask(true)
    if (answer.calls.length === 0) return answer
    messages = addWishes(messages, answer)
    calls.room = window.messageBytes - messages.size
    const told = await runModelCalls(answer.calls, calls)
    if (calls.tokenEnded && turn.sent.size === 0) return answer
    messages = addResults(messages, answer, told)
    if (window.messageBytes - messages.size < MIN_ANSWER_BYTES) break
  }
  return ask(false)
}

async function askModel(
  { usage, trace }: Turn,
  model: Model,
  name: string,
  question: ModelQuestion,
): Promise<ModelAnswer> {
  const startedAt = performance.now()
  const step = { kind: 'model', model: name } as const
  usage.modelCalls += 1
  try {
    const answer = await model(question)
    const { text, calls, inputTokens, outputTokens } = answer
    usage.inputTokens += inputTokens
    usage.outputTokens += outputTokens
    trace?.({ ...step, text, calls, inputTokens, outputTokens, time: performance.now() - startedAt })
    return answer
  } catch (error) {
    const nothing = { text: '', calls: [], inputTokens: 0, outputTokens: 0 }
    const fault = error instanceof Error ? error.message : 'failed'
    usage.failedModelCalls += 1
    trace?.({ ...step, ...nothing, fault, time: performance.now() - startedAt })
    throw error
  } finally {
    usage.modelTime += performance.now() - startedAt
  }
}

function checkWords({ text, fault }: Said, { isLeak }: Parts): Said {
  const reply = cutReply(text.trim()).trim()
  if (fault !== undefined) return { text: '', fault }
  if (reply === '') return { text: '', fault: new ModelFailure('The model said nothing') }
  return isLeak(reply)
    ? { text: '', fault: new ModelFailure('The model gave its instructions away'), withheld: true }
    : { text: reply }
}

function conclude(
  turn: Turn,
  { missing, forNextRun }: TurnCalls,
  said: Said,
  settings: LlmAgent,
): TurnOutcome {
  const done = summarise(turn.sent)
  const { fault } = said
  if (missing.size > 0) {
    const text = settings.missingScopes ?? (said.text || MISSING_SCOPES_TEXT)
    const left = forNextRun.length > 0 ? { forNextRun } : {}
    return { missingScopes: [...missing], text, ...done, ...left, fault }
  }
  const answer = { state: turn.state, close: false, ...done, fault }
  if (said.text) return { reply: said.text, ...answer }
  if (mayHaveChanged(turn.sent)) return { reply: BROKEN_OFF_TEXT, ...answer }
  if (settings.failed !== undefined) return { reply: settings.failed, ...answer }
  // A User's words must not make a turn fail.
  if (turn.sent.size > 0 || said.withheld) return { reply: NO_ANSWER_TEXT, ...answer }
  throw fault
}
