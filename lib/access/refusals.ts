import { KEPT_DAYS } from '#lib/identity/store-refusals.ts'
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

/** Some refused requests of one minute that are alike. */
export type LatestRefusal = Omit<RefusalRow, 'lastHour'> & {
  /** What the token said, unproven and as it was, where no personal agent was recognised; may be empty. */
  issuer: string
  brand: { id: string; name: string } | undefined
  /** The last of them. */
  at: Date
}

type Wanted = { hours: number; personalAgentId?: string; reason?: string }

const LISTED = 200

function namedAgent(name: string | null, issuer: string | null): RefusalRow['personalAgent'] {
  return name !== null && issuer !== null ? { name, issuer } : undefined
}

/**
 * Refused requests by personal agent and reason, the latest first. Who the Users were is not known.
 *
 * @param options.hours how far to look back
 */
export async function listRefusals(viewer: Viewer, options: Wanted): Promise<RefusalRow[]> {
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
    personalAgent: namedAgent(name, issuer),
  }))
}

type LatestRow = Pick<LatestRefusal, 'personalAgentId' | 'reason' | 'issuer' | 'count' | 'at'> &
  Record<'agentName' | 'agentIssuer' | 'brandId' | 'brandName', string | null>

/**
 * The last refused requests, the latest first: of each personal agent and reason as many as are kept, for a week.
 *
 * @param options.hours how far to look back
 */
export async function listLatestRefusals(viewer: Viewer, options: Wanted): Promise<LatestRefusal[]> {
  assertMay(viewer, 'refusals.read')
  const { hours, personalAgentId, reason } = options
  const rows = await prisma().$queryRaw<LatestRow[]>`
    SELECT r."personalAgentId", r."reason", r."issuer", r."count"::int AS "count", r."at",
      p."name" AS "agentName", p."issuer" AS "agentIssuer", b."id" AS "brandId", b."name" AS "brandName"
    FROM "Refusal" r LEFT JOIN "PersonalAgent" p ON p."id"::text = r."personalAgentId"
      LEFT JOIN "Brand" b ON b."id" = r."brandId"
    WHERE r."at" > now() - ${Math.min(hours, KEPT_DAYS * 24)} * interval '1 hour'
      AND (${personalAgentId === undefined} OR r."personalAgentId" = ${personalAgentId ?? ''})
      AND (${reason === undefined} OR r."reason" = ${reason ?? ''})
    ORDER BY r."at" DESC LIMIT ${LISTED}`
  return rows.map(({ agentName, agentIssuer, brandId, brandName, ...row }) => ({
    ...row,
    personalAgent: namedAgent(agentName, agentIssuer),
    brand: brandId !== null && brandName !== null ? { id: brandId, name: brandName } : undefined,
  }))
}
