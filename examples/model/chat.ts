import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'

const toolCallSchema = z.object({
  id: z.string(),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

const messageSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z
    .union([z.string(), z.array(z.object({ type: z.string(), text: z.string().optional() }))])
    .nullish()
    .transform((content) =>
      typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
    ),
  tool_calls: z.array(toolCallSchema).nullish(),
  tool_call_id: z.string().optional(),
})

/** A request of the OpenAI-compatible protocol, as far as this model understands it. */
export const chatRequestSchema = z.object({
  model: z.string(),
  messages: z.array(messageSchema).min(1),
  tools: z.array(z.object({ function: z.object({ name: z.string(), parameters: z.unknown() }) })).optional(),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().optional(),
})

export type ChatRequest = z.infer<typeof chatRequestSchema>
export type ChatMessage = ChatRequest['messages'][number]

/** What the model answers: words, calls, or something that is no answer at all. */
export type ChatAnswer = {
  text?: string
  calls?: readonly { tool: string; arguments: unknown }[]
  /** Before it answers, in milliseconds. */
  delay?: number
  /** 200 when left out. */
  status?: number
  headers?: Record<string, string>
  /** Sent in place of an answer, as it is. */
  raw?: string
  /** The connection ends after half of it. */
  cut?: boolean
  /** No answer ever comes. */
  hang?: boolean
}

/** Makes the answer to a request. The same request has the same answer. */
export type Answerer = (
  request: ChatRequest,
  headers?: IncomingHttpHeaders,
) => ChatAnswer | Promise<ChatAnswer>
