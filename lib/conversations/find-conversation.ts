import { ForbiddenError, may, type Viewer } from '#lib/access/permissions.ts'
import { pool } from '#lib/platform/database.ts'
import { restedCondition } from './list-conversations.ts'
import { isMaskedFor } from './masking.ts'

/** A conversation without its messages, for the console. */
export type ConversationDetail = {
  id: string
  brand: { id: string; name: string }
  personalAgent: { id: string; name: string; issuer: string }
  /** The personal agent's `sub`. */
  subject: string
  brandUserId: string | undefined
  state: 'open' | 'closed'
  closedBy: 'agent' | 'console' | 'idle' | undefined
  closedAt: Date | undefined
  createdAt: Date
  lastActiveAt: Date
  /** A turn runs at this moment. */
  running: boolean
  /** Its Brand shows the viewer lengths in place of texts. */
  masked: boolean
  /** Days after which its messages lose their texts, as the Brand or else the Provider says. */
  retentionDays: number | undefined
}

type Row = {
  id: string
  brandId: string
  brandName: string
  maskedFor: string[]
  retentionDays: number | null
  personalAgentId: string
  personalAgentName: string
  issuer: string
  subject: string
  brandUserId: string | null
  closed: boolean
  closedBy: 'agent' | 'console' | 'idle' | null
  closedAt: Date | null
  createdAt: Date
  lastActiveAt: Date
  running: boolean
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const conversationStatement = {
  name: 'conversation-for-console',
  text: `
SELECT c."id", c."brandId", b."name" AS "brandName", coalesce(b."maskedFor", '{}') AS "maskedFor", c."personalAgentId",
  coalesce(b."retentionDays", (SELECT "retentionDays" FROM "Provider" WHERE "id" = 1)) AS "retentionDays",
  p."name" AS "personalAgentName", p."issuer", c."subject", c."brandUserId",
  (c."state" = 'closed' OR ${restedCondition}) AS "closed", c."closedBy", c."closedAt", c."createdAt", c."lastActiveAt",
  coalesce(c."turnUntil" > now(), false) AS "running"
FROM "Conversation" c JOIN "Brand" b ON b."id" = c."brandId" JOIN "PersonalAgent" p ON p."id" = c."personalAgentId"
WHERE c."id" = $1`,
}

/**
 * Finds a conversation.
 *
 * @throws ForbiddenError for one that the viewer may not see, and in the same way for one that does not exist
 */
export async function getConversation(viewer: Viewer, id: string): Promise<ConversationDetail> {
  const { rows } = UUID.test(id)
    ? await pool().query<Row>({ ...conversationStatement, values: [id] })
    : { rows: [] }
  const [row] = rows
  if (!row || !may(viewer, 'conversations.read', row.brandId))
    throw new ForbiddenError(`no conversation of ${viewer.email}`)
  return {
    id: row.id,
    brand: { id: row.brandId, name: row.brandName },
    personalAgent: { id: row.personalAgentId, name: row.personalAgentName, issuer: row.issuer },
    subject: row.subject,
    brandUserId: row.brandUserId ?? undefined,
    state: row.closed ? 'closed' : 'open',
    closedBy: row.closed ? (row.closedBy ?? 'idle') : undefined,
    closedAt: row.closedAt ?? undefined,
    createdAt: row.createdAt,
    lastActiveAt: row.lastActiveAt,
    running: row.running,
    masked: isMaskedFor(viewer, row.brandId, row.maskedFor),
    retentionDays: row.retentionDays ?? undefined,
  }
}
