import { z } from 'zod'
import { failureCodes } from '#lib/agents/failure-code.ts'
import { closeConversation } from '#lib/conversations/close-conversation.ts'
import { listConversations } from '#lib/conversations/list-conversations.ts'
import { conversationFilterSchema } from '#lib/conversations/list-schema.ts'
import { readTranscript } from '#lib/conversations/transcript.ts'
import { brandRef, changed, personalAgentRef, time, UUID } from '../answer-parts.ts'
import { strictFilter, timePage, timePageReply } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { receiptClaims } from '../receipt-claims.ts'

const facts = {
  id: z.string(),
  brand: brandRef,
  personalAgent: personalAgentRef,
  subject: z.string(),
  brandUserId: z.string().optional(),
  state: z.enum(['open', 'closed']),
  closedBy: z.enum(['agent', 'console', 'idle']).optional(),
  createdAt: time,
  lastActiveAt: time,
}
const listed = named('ListedConversation', z.object({ ...facts, messages: z.number() }))

const text = named(
  'MessageText',
  z.union([
    z.object({ text: z.string() }),
    /** Only its length is shown. */
    z.object({ masked: z.number() }),
    z.object({ purged: z.literal(true) }),
  ]),
)
const receipt = z.object({ id: z.string(), claims: receiptClaims })
const entry = named(
  'TranscriptEntry',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('turn'),
      id: z.string(),
      messageId: z.string(),
      receivedAt: time,
      text,
      reply: z.object({ text, at: time, milliseconds: z.number() }).optional(),
      running: z.boolean(),
      /** Why there is no reply, or what stood in the way of a better one. */
      failure: z.enum(failureCodes).optional(),
      receipt: receipt.optional(),
      /** Its receipt could not be signed: the caller gets the reply, with it, by sending the message again. */
      unsigned: z.boolean(),
    }),
    z.object({
      kind: z.literal('step-up'),
      id: z.string().meta({
        description:
          'The id of its receipt; `asked-` and a number where it has none, which no other operation knows.',
      }),
      messageId: z.string(),
      at: time.meta({
        description:
          'The last time, where a message without a delegation token has asked for the same again.',
      }),
      missingScopes: z.array(z.string()).optional().meta({
        description: 'What the User was asked for; left out of those that are too old to say it.',
      }),
      receipt: receipt.optional().meta({ description: 'Left out where there was no delegation token.' }),
    }),
  ]),
)
const transcript = named(
  'Transcript',
  z.object({
    conversation: z.object({
      ...facts,
      closedAt: time.optional(),
      running: z.boolean(),
      masked: z.boolean(),
      retentionDays: z.number().optional(),
    }),
    data: z.array(entry),
    nextCursor: z.string().nullable(),
  }),
)

const params = z.object({ conversationId: z.uuid() })
const of = { tag: 'Conversations', at: 'anywhere' } as const

export function conversationOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listConversations',
      method: 'GET',
      path: '/conversations',
      summary: 'Conversations, the latest first',
      permission: 'conversations.read',
      query: z.object({ ...strictFilter(conversationFilterSchema).shape, ...timePage(UUID) }),
      answer: named('ConversationPage', pageOf(listed)),
      async run({ query: { cursor, limit, ...filter }, caller }) {
        const page = await listConversations(caller.viewer, filter, { after: cursor, limit })
        return timePageReply(page.rows, page.after)
      },
    }),
    operation({
      ...of,
      id: 'getConversation',
      method: 'GET',
      path: '/conversations/{conversationId}',
      summary: 'A conversation as a transcript',
      description: '100 messages a page, the oldest first. Texts are masked or gone as its Brand wants it.',
      permission: 'conversations.read',
      params,
      query: z.object({
        cursor: z
          .string()
          .regex(/^\d{1,18}$/)
          .optional()
          .meta({ description: '`nextCursor` of the page before.' }),
      }),
      answer: transcript,
      async run({ params: { conversationId }, query: { cursor }, caller }) {
        const { conversation, entries, next } = await readTranscript(caller.viewer, conversationId, cursor)
        return { body: { conversation, data: entries, nextCursor: next ?? null } }
      },
    }),
    operation({
      ...of,
      id: 'closeConversation',
      method: 'POST',
      path: '/conversations/{conversationId}/close',
      summary: 'Closes a conversation (§4.2)',
      permission: 'conversations.write',
      params,
      answer: changed,
      run: async ({ params: { conversationId }, caller }) => ({
        body: { changed: await closeConversation(caller.viewer, caller.actor, conversationId) },
      }),
    }),
  ]
}
