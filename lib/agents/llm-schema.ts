import { z } from 'zod'
import { displayText, isStorable } from '#lib/platform/text.ts'
import { serviceUrl } from '#lib/platform/urls.ts'
import { secretText } from './secret-text.ts'

/** How long an agent's instructions may be, in bytes of UTF-8. */
const MAX_INSTRUCTIONS_BYTES = 32_768

const instructions = z
  .string()
  .refine((text) => text.trim() !== '', 'must not be blank')
  .refine(isStorable, 'must not contain U+0000 or lone surrogates')
  .refine((text) => Buffer.byteLength(text) <= MAX_INSTRUCTIONS_BYTES, {
    message: `must have at most ${MAX_INSTRUCTIONS_BYTES} bytes`,
  })

/** What its paths are appended to: a query would end up in the middle. */
const endpoint = (options: { allowLoopback: boolean }) =>
  serviceUrl(options).refine((text) => !text.includes('?'), 'must not have a query (?…)')

/** A text as it stands, without variables. */
const fixedText = displayText({ max: 2_000, lines: true })

/** The `llm` driver: a model behind an OpenAI-compatible endpoint answers, and calls the Brand's tools. */
export function llmAgentSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    driver: z.literal('llm'),
    /** The base URL, such as `https://models.example/v1`; `/chat/completions` is appended. */
    endpoint: endpoint(options),
    model: displayText({ max: 200 }),
    instructions,
    /** Left out: the endpoint's own. */
    temperature: z.number().min(0).max(2).optional(),
    /** How often the model may be asked in one turn: each round of tool calls takes one. */
    maxSteps: z.int().min(1).max(20).default(6),
    /** How much the model may write at once, in tokens. */
    maxOutputTokens: z.int().min(16).max(32_768).default(1_024),
    /** How much the model is given to read, in tokens: of a conversation that is longer, the last turns. */
    contextTokens: z.int().min(1_000).max(2_000_000).default(16_000),
    /** How much the model may read and write in one turn, in tokens, after it was asked once. */
    maxTurnTokens: z.int().min(1_000).max(50_000_000).default(200_000),
    timeLimitSeconds: z.number().min(0.1).max(120).default(60),
    /** What the User is told where a tool's scope is missing (§5.5). */
    missingScopes: fixedText.optional(),
    /** The reply where the model gives none. Left out: the turn fails. */
    failed: fixedText.optional(),
  })
}

/** As it is written: with the endpoint's key, which is stored apart from the settings. */
export function writtenLlmAgentSchema(options: { allowLoopback: boolean }) {
  return llmAgentSchema(options).extend({ apiKey: secretText.nullable().optional() })
}

export type LlmAgent = z.infer<ReturnType<typeof llmAgentSchema>>
