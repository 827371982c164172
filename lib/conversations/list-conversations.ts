import { listedBrands, selectOfBrands } from '#lib/access/list-scope.ts'
import { brandFilter, type Viewer } from '#lib/access/permissions.ts'
import { findPersonalAgentIds } from '#lib/identity/find-by-words.ts'
import { type ConditionList, newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { type Page, type PageRequest, pageSizeOf, toPage } from '#lib/platform/keyset.ts'
import type { ConversationFilter } from './list-schema.ts'

/** Up to how many messages of one conversation a list counts. */
export const MOST_COUNTED = 1_000
const DAY = 86_400_000

/** A conversation rests so long that its next message will find it closed (§4.2). In SQL; `c` and its Brand `b`. */
export const restedCondition = `(c."state" = 'open' AND c."lastActiveAt" <= now() - b."idleHours" * interval '1 hour'
  AND (c."turnUntil" IS NULL OR c."turnUntil" <= now()))`

export type ListedConversation = {
  id: string
  brand: { id: string; name: string }
  personalAgent: { id: string; name: string; issuer: string }
  /** The personal agent's `sub`. */
  subject: string
  brandUserId: string | undefined
  state: 'open' | 'closed'
  /** `idle` also of one that is not written down as closed yet. */
  closedBy: 'agent' | 'console' | 'idle' | undefined
  createdAt: Date
  lastActiveAt: Date
  /** At most {@link MOST_COUNTED} and one. */
  messages: number
}

type Row = {
  id: string
  brandId: string
  brandName: string
  personalAgentId: string
  personalAgentName: string
  issuer: string
  subject: string
  brandUserId: string | null
  closed: boolean
  closedBy: 'agent' | 'console' | 'idle' | null
  createdAt: Date
  lastActiveAt: Date
  messages: number
}

function addFilter(
  conditions: ConditionList,
  filter: ConversationFilter,
  agents: string[] | undefined,
): void {
  const { add, value } = conditions
  const { user, state, from, until } = filter
  if (agents) add(`c."personalAgentId" = ANY (${value(agents)}::uuid[])`)
  if (user) {
    const text = value(user)
    add(`(c."subject" = ${text} OR c."brandUserId" = ${text})`)
  }
  if (from) add(`c."createdAt" >= ${value(from)}`)
  if (until) add(`c."createdAt" < ${value(new Date(until.getTime() + DAY))}`)
  if (state === 'open') add(`c."state" = 'open' AND NOT ${restedCondition}`)
  if (state === 'closed') add(`(c."state" = 'closed' OR ${restedCondition})`)
}

function buildListStatement(
  filter: ConversationFilter,
  page: PageRequest,
  { brands, agents }: { brands: string[] | undefined; agents: string[] | undefined },
) {
  const conditions = newConditions()
  const { add, value } = conditions
  addFilter(conditions, filter, agents)
  const cursor = page.before ?? page.after
  const order = page.before ? 'ASC' : 'DESC'
  if (cursor) {
    const beyond = page.before ? '>' : '<'
    add(`(c."createdAt", c."id") ${beyond} (${value(cursor.at)}, ${value(cursor.id)}::uuid)`)
  }
  const orderBy = (alias: string) => `${alias}."createdAt" ${order}, ${alias}."id" ${order}`
  const select = (more: string) => `
    SELECT c.*, b."name" AS "brandName", (c."state" = 'closed' OR ${restedCondition}) AS "closed"
    FROM "Conversation" c JOIN "Brand" b ON b."id" = c."brandId"
    WHERE ${conditions.text()} ${more}
    ORDER BY ${orderBy('c')} LIMIT ${pageSizeOf(page) + 1}`
  const list = { select, brandColumn: 'c."brandId"', orderBy, limit: pageSizeOf(page) + 1 }
  const found = selectOfBrands(conditions, brands, list)
  const text = `
SELECT f."id", f."brandId", f."brandName", f."personalAgentId", p."name" AS "personalAgentName", p."issuer", f."subject",
  f."brandUserId", f."closed", f."closedBy", f."createdAt", f."lastActiveAt",
  (SELECT count(*)::int FROM (SELECT FROM "Message" m WHERE m."conversationId" = f."id" LIMIT ${MOST_COUNTED + 1}) counted)
    AS "messages"
FROM (${found}) f JOIN "PersonalAgent" p ON p."id" = f."personalAgentId"
ORDER BY ${orderBy('f')}`
  return { text, values: conditions.values }
}

/**
 * Lists conversations, the latest first, as far as a viewer may see them. No text of a message is among it.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function listConversations(
  viewer: Viewer,
  filter: ConversationFilter,
  page: PageRequest = {},
): Promise<Page<ListedConversation>> {
  const brands = listedBrands(brandFilter(viewer, 'conversations.read', filter.brand))
  const agents = filter.agent === undefined ? undefined : await findPersonalAgentIds(filter.agent)
  const { rows } = await pool().query<Row>(buildListStatement(filter, page, { brands, agents }))
  const listed = rows.map((row) => ({
    id: row.id,
    brand: { id: row.brandId, name: row.brandName },
    personalAgent: { id: row.personalAgentId, name: row.personalAgentName, issuer: row.issuer },
    subject: row.subject,
    brandUserId: row.brandUserId ?? undefined,
    state: row.closed ? ('closed' as const) : ('open' as const),
    closedBy: row.closed ? (row.closedBy ?? ('idle' as const)) : undefined,
    createdAt: row.createdAt,
    lastActiveAt: row.lastActiveAt,
    messages: row.messages,
  }))
  return toPage(listed, page, ({ createdAt, id }) => ({ at: createdAt, id }))
}
