import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, type ModelMessage, ToolChoiceViolationError, type ToolSet, tool } from 'ai'
import type { LlmAgent } from '../llm-schema.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { ModelFailure } from './model-failure.ts'
import type { ModelTool } from './model-tools.ts'

// What the package warns of is nothing that an operator could change, and its words go past the log.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })

/** The most tokens that one answer is believed to have cost. */
const MAX_TOKENS = 100_000_000

/** What a model wants to call. Nothing of it has been checked. */
export type ModelCall = {
  id: string
  tool: string
  arguments: unknown
}

export type ModelAnswer = {
  text: string
  calls: readonly ModelCall[]
  /** What it said, for the next question. */
  messages: readonly ModelMessage[]
  inputTokens: number
  outputTokens: number
}

export type ModelQuestion = {
  messages: readonly ModelMessage[]
  /** Undefined: the endpoint wants none. */
  apiKey: string | undefined
  /** False: this time it must answer in words. */
  mayCall: boolean
  signal: AbortSignal
}

/** A model, ready to be asked. @throws ModelFailure */
export type Model = (question: ModelQuestion) => Promise<ModelAnswer>

function toToolSet(tools: ReadonlyMap<string, ModelTool>): ToolSet {
  const offered = [...tools].map(([name, { description, schema }]) => [
    name,
    // Without a check of its own: what is wrong with arguments, the model is told in our words.
    tool({ description, inputSchema: jsonSchema<unknown>(schema) }),
  ])
  return Object.fromEntries(offered)
}

function countTokens(told: number | undefined): number {
  return told !== undefined && told > 0 && told < MAX_TOKENS ? Math.round(told) : 0
}

/** Errors of the packages carry the whole request: what the User said, and the key. None of it may reach the log. */
function toFailure(error: unknown, signal: AbortSignal): ModelFailure {
  if (error instanceof ModelFailure) return error
  if (signal.aborted) return new ModelFailure("The model's endpoint: timeout")
  if (ToolChoiceViolationError.isInstance(error)) {
    return new ModelFailure('The model wanted another call when it had to answer in words')
  }
  return new ModelFailure("The model's endpoint: its answer is not a chat completion")
}

/**
 * The model of a Brand's settings, behind an OpenAI-compatible endpoint. Its answers are somebody else's: a call in one is
 * a wish.
 */
export function buildModel(settings: LlmAgent, tools: ReadonlyMap<string, ModelTool>): Model {
  const { endpoint, model: id, instructions, temperature, maxOutputTokens } = settings
  const model = createOpenAICompatible({ name: 'llm', baseURL: endpoint, fetch: guardedFetch })(id)
  const offered = tools.size > 0 ? toToolSet(tools) : undefined
  return async ({ messages, apiKey, mayCall, signal }) => {
    try {
      const { text, toolCalls, responseMessages, usage } = await generateText({
        model,
        instructions,
        messages: [...messages],
        ...(offered ? { tools: offered, toolChoice: mayCall ? 'auto' : 'none' } : {}),
        ...(temperature === undefined ? {} : { temperature }),
        ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
        maxOutputTokens,
        maxRetries: 0,
        abortSignal: signal,
      })
      return {
        text,
        calls: toolCalls.map(({ toolCallId, toolName, input }) => ({
          id: toolCallId,
          tool: toolName,
          arguments: input,
        })),
        messages: responseMessages.filter(({ role }) => role === 'assistant'),
        inputTokens: countTokens(usage.inputTokens),
        outputTokens: countTokens(usage.outputTokens),
      }
    } catch (error) {
      throw toFailure(error, signal)
    }
  }
}
