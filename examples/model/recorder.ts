import { z } from 'zod'
import type { Answerer, ChatAnswer } from './chat.ts'
import { saidIn, writeRecording } from './recordings.ts'

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          tool_calls: z
            .array(z.object({ function: z.object({ name: z.string(), arguments: z.string() }) }))
            .nullish(),
        }),
      }),
    )
    .min(1),
})

function toAnswer(completion: unknown): ChatAnswer & { calls?: { tool: string; arguments: unknown }[] } {
  const [choice] = completionSchema.parse(completion).choices
  const { content, tool_calls } = choice?.message ?? {}
  const calls = tool_calls?.map(({ function: { name, arguments: given } }) => ({
    tool: name,
    arguments: JSON.parse(given || '{}') as unknown,
  }))
  return { ...(content ? { text: content } : {}), ...(calls?.length ? { calls } : {}) }
}

/**
 * A model that asks another one, and keeps what was asked and answered: the next time, nobody need be asked. Failures are
 * passed on, and not kept.
 *
 * @param endpoint the other's base URL; it is shown the key that the request brings
 * @param path the file that recordings are added to
 */
export function recordAnswers(endpoint: string, path: string): Answerer {
  return async (request, { authorization } = {}) => {
    const asked = await fetch(`${endpoint}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify({ ...request, stream: false }),
    })
    const text = await asked.text()
    if (!asked.ok) return { status: asked.status, raw: text }
    const answer = toAnswer(JSON.parse(text))
    await writeRecording(path, { said: saidIn(request), answer })
    return answer
  }
}
