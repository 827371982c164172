import type { ModelMessage } from 'ai'
import type { Agent, Turn, TurnOutcome } from '../agent.ts'
import { LLM_API_KEY } from '../agent-secrets.ts'
import { BROKEN_OFF_TEXT, MISSING_SCOPES_TEXT, NO_ANSWER_TEXT } from '../fixed-texts.ts'
import type { LlmAgent } from '../llm-schema.ts'
import { cutReply } from '../render-reply.ts'
import { mayHaveChanged, summarise } from '../sent-calls.ts'
import type { ToolSettings } from '../tools/schema.ts'
import { type ContextWindow, measureWindow } from './context-window.ts'
import { buildLeakCheck, type LeakCheck } from './leak-check.ts'
import type { Model, ModelAnswer, ModelQuestion } from './model.ts'
import { ModelFailure } from './model-failure.ts'
import { buildModelTools, type ModelTool } from './model-tools.ts'
import { runModelCalls, type TurnCalls } from './run-model-calls.ts'
import type { ToldResult } from './told-result.ts'

/** How much of a turn's time is kept for answering when the model has none left, in milliseconds; less in a short turn. */
const ANSWERING_TIME = 500

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
  const timeLimit = parts.settings.timeLimitSeconds * 1000
  const calls: TurnCalls = {
    turn,
    tools: parts.tools,
    until: turn.endsAt - Math.min(ANSWERING_TIME, timeLimit / 10),
    answerBytes: parts.window.answerBytes,
    missing: new Set(),
    tokenEnded: false,
    sent: 0,
    repetitions: new Map(),
    doneBefore: undefined,
  }
  const said = await talk(turn, calls, parts).catch((fault: unknown): Said => {
    if (fault instanceof ModelFailure) return { text: '', fault }
    throw fault
  })
  if (calls.tokenEnded && turn.sent.size === 0) return { tokenEnded: true }
  return conclude(turn, calls, checkWords(said, parts), parts.settings)
}

/** Asks the model, makes the calls that it wishes for, and asks again, until it only speaks. */
async function talk(turn: Turn, calls: TurnCalls, parts: Parts): Promise<Said> {
  const { settings, tools, window } = parts
  const messages = await openMessages(turn, window)
  const apiKey = await turn.secret(LLM_API_KEY, settings.endpoint)
  const timeLeft = Math.max(0, Math.floor(calls.until - performance.now()))
  const signal = AbortSignal.any([turn.signal, AbortSignal.timeout(timeLeft)])
  const ask = async (mayCall: boolean) =>
    askModel(turn, await parts.model, settings.model, { messages, apiKey, mayCall, signal })
  for (let step = 1; step < settings.maxSteps && tools.size > 0; step++) {
    const answer = await ask(true)
    if (answer.calls.length === 0) return answer
    const told = await runModelCalls(answer.calls, calls)
    if (calls.tokenEnded && turn.sent.size === 0) return answer
    messages.push(...answer.messages, toToolMessage(answer, told))
  }
  return ask(false)
}

async function openMessages({ text, history }: Turn, window: ContextWindow): Promise<ModelMessage[]> {
  const room = window.historyBytes(text)
  const past = room > 0 ? await history(room) : []
  return [
    ...past.flatMap((turn): ModelMessage[] => [
      { role: 'user', content: turn.text },
      { role: 'assistant', content: turn.reply },
    ]),
    { role: 'user', content: text },
  ]
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

/** Answers of tools stand where tools speak, as JSON: never where the Brand or the User does. */
function toToolMessage({ calls }: ModelAnswer, told: readonly ToldResult[]): ModelMessage {
  return {
    role: 'tool',
    content: calls.map(({ id, tool }, index) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: tool,
      output: { type: 'json', value: JSON.parse(JSON.stringify(told[index])) },
    })),
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

function conclude(turn: Turn, { missing }: TurnCalls, said: Said, settings: LlmAgent): TurnOutcome {
  const done = summarise(turn.sent)
  const { fault } = said
  if (missing.size > 0) {
    const text = settings.missingScopes ?? (said.text || MISSING_SCOPES_TEXT)
    return { missingScopes: [...missing], text, ...done, fault }
  }
  const answer = { state: turn.state, close: false, ...done, fault }
  if (said.text) return { reply: said.text, ...answer }
  if (mayHaveChanged(turn.sent)) return { reply: BROKEN_OFF_TEXT, ...answer }
  if (settings.failed !== undefined) return { reply: settings.failed, ...answer }
  // A User's words must not make a turn fail.
  if (turn.sent.size > 0 || said.withheld) return { reply: NO_ANSWER_TEXT, ...answer }
  throw fault
}
