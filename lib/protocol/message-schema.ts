import { z } from 'zod'
import { isStorable } from '#lib/platform/text.ts'

export const MAX_PARTS = 32
const MAX_MESSAGE_ID = 255

const storable = z.string().refine(isStorable, 'must be well-formed text without U+0000')

/** ProtoJSON: `null`, and for a string the empty one, stand for a member that is not set. */
const optionalId = storable.nullish().transform((id) => (id === null || id === '' ? undefined : id))

/** The members of a part that are content: A2A 1.0's, and the `file` of older versions. Any other is ignored. */
const CONTENTS = ['text', 'raw', 'url', 'data', 'file'] as const

const partSchema = z.looseObject({ text: storable.nullish() })

/** An A2A SendMessageRequest as far as it matters here (§4.1); whatever else it has is ignored. */
export const sendMessageSchema = z.object({
  message: z.object({
    messageId: storable.min(1).max(MAX_MESSAGE_ID),
    contextId: optionalId,
    taskId: optionalId,
    role: z.literal('ROLE_USER'),
    parts: z.array(partSchema).min(1).max(MAX_PARTS),
  }),
})

export type SentMessage = z.infer<typeof sendMessageSchema>['message']
export type SentPart = SentMessage['parts'][number]

/** The kinds of content that a part has: in A2A 1.0 one of `text`, `raw`, `url`, `data`. */
export function contentsOf(part: SentPart): string[] {
  return CONTENTS.filter((name) => part[name] !== undefined && part[name] !== null)
}
