import { prisma } from '#lib/platform/database.ts'
import { brandFilter, type Viewer } from './permissions.ts'
import { seesRefusals } from './refusals.ts'

/** Something that somebody should look at, the most urgent kinds first. */
export type Attention =
  | { kind: 'keys-unreachable'; personalAgentId: string; name: string; count: number }
  | { kind: 'login-keys-failing'; brandId: string; brand: string; fault: string; at: Date }
  | { kind: 'token-reused'; grantId: string; brandId: string; brand: string; at: Date }
  | { kind: 'key-overdue'; brandId: string; brand: string; activatedAt: Date }
  | { kind: 'refusals-rising'; today: number; before: number }

/** How many of a kind are listed. */
const LISTED = 5
/** Reasons that mean: the personal agent's keys can't be had. */
const UNREACHABLE = ['jwks_unreachable', 'jwks_invalid', 'discovery_failed']
/** Refusals rise when there are this many times more than on the day before, and no less than `ENOUGH`. */
const RISE = 2
const ENOUGH = 20

async function findUnreachable(): Promise<Attention[]> {
  return prisma().$queryRaw<Extract<Attention, { kind: 'keys-unreachable' }>[]>`
    SELECT 'keys-unreachable' AS "kind", p."id" AS "personalAgentId", p."name", sum(r."count")::float8 AS "count"
    FROM "RefusedRequests" r JOIN "PersonalAgent" p ON p."id"::text = r."personalAgentId"
    WHERE r."hour" > now() - interval '2 hours' AND r."reason" = ANY(${UNREACHABLE}) AND p."enabled"
    GROUP BY p."id" ORDER BY 4 DESC LIMIT ${LISTED}`
}

async function findRise(): Promise<Attention[]> {
  const [sums] = await prisma().$queryRaw<{ today: number; before: number }[]>`
    SELECT coalesce(sum("count") FILTER (WHERE "hour" > now() - interval '24 hours'), 0)::float8 AS "today",
      coalesce(sum("count") FILTER (WHERE "hour" <= now() - interval '24 hours'), 0)::float8 AS "before"
    FROM "RefusedRequests" WHERE "hour" > now() - interval '48 hours'`
  const { today, before } = sums ?? { today: 0, before: 0 }
  return today >= ENOUGH && today >= RISE * before ? [{ kind: 'refusals-rising', today, before }] : []
}

type Filter = ReturnType<typeof brandFilter>

/** The Brands of a filter; undefined: all. */
function idsOf({ brandId }: Filter): string[] | undefined {
  return typeof brandId === 'string' ? [brandId] : brandId?.in
}

/** Logins whose keys could not be used when they were looked at last. Nothing is fetched here; another address is another login. */
async function findFailingLogins(filter: Filter): Promise<Attention[]> {
  const ids = idsOf(filter)
  return prisma().$queryRaw<Extract<Attention, { kind: 'login-keys-failing' }>[]>`
    SELECT 'login-keys-failing' AS "kind", b."id" AS "brandId", b."name" AS "brand", l."fault", l."at"
    FROM "LoginKeysLook" l JOIN "Brand" b ON b."id" = l."brandId"
    WHERE l."fault" IS NOT NULL AND b."enabled" AND b."delegation"->'login'->>'jwksUri' = l."jwksUri"
      AND (${ids === undefined} OR b."id" = ANY(${ids ?? []}))
    ORDER BY l."at" DESC LIMIT ${LISTED}`
}

async function findReused(filter: Filter): Promise<Attention[]> {
  const found = await prisma().grant.findMany({
    where: { ...filter, notBefore: { gt: new Date(Date.now() - 7 * 86_400_000) }, revokedAt: null },
    select: { id: true, brandId: true, notBefore: true },
    orderBy: { notBefore: 'desc' },
    take: LISTED,
  })
  const names = await brandNames(found.map(({ brandId }) => brandId))
  return found.map(({ id, brandId, notBefore }) => ({
    kind: 'token-reused',
    grantId: id,
    brandId,
    brand: names.get(brandId) ?? brandId,
    at: notBefore ?? new Date(0),
  }))
}

async function brandNames(ids: readonly string[]): Promise<Map<string, string>> {
  const brands = await prisma().brand.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, name: true },
  })
  return new Map(brands.map(({ id, name }) => [id, name]))
}

/** Keys whose time to be replaced came more than an hour ago: the schedule is not kept. */
async function findOverdue(filter: Filter): Promise<Attention[]> {
  const ids = idsOf(filter)
  return prisma().$queryRaw<Extract<Attention, { kind: 'key-overdue' }>[]>`
    SELECT 'key-overdue' AS "kind", b."id" AS "brandId", b."name" AS "brand", k."activatedAt"
    FROM "SigningKey" k JOIN "Brand" b ON b."id" = k."brandId"
    WHERE k."state" = 'active' AND b."enabled" AND (${ids === undefined} OR b."id" = ANY(${ids ?? []}))
      AND k."activatedAt" + b."rotateEveryDays" * interval '1 day' < now() - interval '1 hour'
    ORDER BY k."activatedAt" LIMIT ${LISTED}`
}

/** What needs attention first, of what the viewer may see. */
export async function listAttention(viewer: Viewer, brand?: string): Promise<Attention[]> {
  const filter = brandFilter(viewer, 'home.read', brand)
  const ofProvider = seesRefusals(viewer, brand)
  const found = await Promise.all([
    ofProvider ? findUnreachable() : [],
    findFailingLogins(filter),
    findReused(filter),
    findOverdue(filter),
    ofProvider ? findRise() : [],
  ])
  return found.flat()
}
