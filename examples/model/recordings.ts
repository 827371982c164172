import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Answerer, ChatAnswer, ChatRequest } from './chat.ts'

const callSchema = z.strictObject({ tool: z.string(), arguments: z.unknown() })

/** What one side said, or wished to call. Ids of calls are left out: every endpoint makes its own. */
const saidSchema = z.strictObject({
  role: z.enum(['user', 'assistant', 'tool']),
  text: z.string(),
  calls: z.array(callSchema).optional(),
})

/** A question as it was asked once, without the instructions, and what was answered. */
const recordingSchema = z.strictObject({
  said: z.array(saidSchema).min(1),
  answer: z.strictObject({ text: z.string().optional(), calls: z.array(callSchema).optional() }),
})

export type Recording = z.infer<typeof recordingSchema>

function readArguments(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** What was said until a request, as recordings keep it. */
export function saidIn({ messages }: ChatRequest): Recording['said'] {
  return messages.flatMap(({ role, content, tool_calls }) => {
    if (role === 'system') return []
    const calls = tool_calls?.map(({ function: { name, arguments: given } }) => ({
      tool: name,
      arguments: readArguments(given),
    }))
    return [{ role, text: content, ...(calls?.length ? { calls } : {}) }]
  })
}

/** Answers what was recorded as it was answered then; everything else goes to `otherwise`. */
export function answerByRecordings(recordings: readonly Recording[], otherwise: Answerer): Answerer {
  return (request) => {
    const said = saidIn(request)
    const found = recordings.find((recording) => isDeepStrictEqual(recording.said, said))
    return found ? (found.answer as ChatAnswer) : otherwise(request)
  }
}

/** Reads a file of recordings, a line of JSON each; none where there is no file. @throws where a line is none */
export async function readRecordings(path: string): Promise<Recording[]> {
  if (!existsSync(path)) return []
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '')
  return lines.map((line) => recordingSchema.parse(JSON.parse(line)))
}

/** Adds one to a file of recordings. */
export async function writeRecording(path: string, recording: Recording): Promise<void> {
  await appendFile(path, `${JSON.stringify(recording)}\n`)
}
