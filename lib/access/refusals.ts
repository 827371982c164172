import { prisma } from '#lib/platform/database.ts'
import { assertMay, type Viewer } from './permissions.ts'

/** How often requests of one personal agent were refused for one reason. */
export type RefusalRow = {
  personalAgentId: string
  /** Undefined where none was recognised. */
  personalAgent: { name: string; issuer: string } | undefined
  reason: string
  count: number
  lastHour: Date
}

const LISTED = 200

/**
 * Refused requests by personal agent and reason, the latest first. Who the Users were is not known.
 *
 * @param options.hours how far to look back
 */
export async function listRefusals(
  viewer: Viewer,
  options: { hours: number; personalAgentId?: string; reason?: string },
): Promise<RefusalRow[]> {
  assertMay(viewer, 'refusals.read')
  const { hours, personalAgentId, reason } = options
  const rows = await prisma().$queryRaw<
    {
      personalAgentId: string
      name: string | null
      issuer: string | null
      reason: string
      count: number
      lastHour: Date
    }[]
  >`
    SELECT r."personalAgentId", p."name", p."issuer", r."reason", sum(r."count")::int AS "count", max(r."hour") AS "lastHour"
    FROM "RefusedRequests" r LEFT JOIN "PersonalAgent" p ON p."id"::text = r."personalAgentId"
    WHERE r."hour" > now() - ${hours} * interval '1 hour'
      AND (${personalAgentId === undefined} OR r."personalAgentId" = ${personalAgentId ?? ''})
      AND (${reason === undefined} OR r."reason" = ${reason ?? ''})
    GROUP BY r."personalAgentId", p."name", p."issuer", r."reason"
    ORDER BY max(r."hour") DESC, 5 DESC LIMIT ${LISTED}`
  return rows.map(({ name, issuer, ...row }) => ({
    ...row,
    personalAgent: name !== null && issuer !== null ? { name, issuer } : undefined,
  }))
}
