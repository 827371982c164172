import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { failingCondition } from './failing-agents.ts'
import type { CountedReason } from './refusal.ts'
import { type LimitOverrides, type Limits, limitOverridesSchema, limitsSchema } from './schema.ts'

/** Up to how many grants and conversations of a personal agent are counted. */
export const MOST_COUNTED = 1_000

/** A personal agent as its page shows it. */
export type AgentDetail = {
  id: string
  name: string
  issuer: string
  jwksUri: string
  enabled: boolean
  origin: 'registered' | 'discovered'
  limits: LimitOverrides | undefined
  createdAt: Date
  /** When it was changed last: the version that somebody edits. */
  updatedAt: Date
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * A personal agent by its id; undefined for an unknown one.
 *
 * @throws ForbiddenError for a viewer who may not see personal agents
 */
export async function findAgentDetail(viewer: Viewer, id: string): Promise<AgentDetail | undefined> {
  assertMay(viewer, 'personal-agents.read')
  const stored = uuid.test(id) ? await prisma().personalAgent.findUnique({ where: { id } }) : null
  if (!stored) return undefined
  return { ...stored, limits: limitOverridesSchema.nullable().parse(stored.limits) ?? undefined }
}

/** What the Provider's own limits and audience are; undefined before the first provision file. */
export async function findProviderDefaults(
  viewer: Viewer,
): Promise<{ audience: string; trust: 'allowlist' | 'open'; limits: Limits } | undefined> {
  assertMay(viewer, 'personal-agents.read')
  const stored = await prisma().provider.findUnique({ where: { id: 1 } })
  return stored ? { ...stored, limits: limitsSchema.parse(stored.limits) } : undefined
}

/**
 * Whether a personal agent's keys could not be had lately.
 *
 * @throws ForbiddenError for a viewer who may not see personal agents
 */
export async function isFailing(viewer: Viewer, id: string): Promise<boolean> {
  assertMay(viewer, 'personal-agents.read')
  const { rows } = await pool().query<{ failing: boolean }>(
    `SELECT ${failingCondition} AS "failing" FROM "PersonalAgent" p WHERE "id" = $1`,
    [id],
  )
  return rows[0]?.failing ?? false
}

/** What hangs on a personal agent. Counts end at {@link MOST_COUNTED} and one. */
export type AgentUse = { openConversations: number; liveGrants: number }

const useStatement = `
SELECT
  (SELECT count(*)::int FROM (SELECT FROM "Conversation" WHERE "personalAgentId" = $1 AND "state" = 'open'
    LIMIT ${MOST_COUNTED + 1}) counted) AS "openConversations",
  (SELECT count(*)::int FROM (SELECT FROM "Grant" WHERE "personalAgentId" = $1 AND "revokedAt" IS NULL
    AND "expiresAt" > now() LIMIT ${MOST_COUNTED + 1}) counted) AS "liveGrants"`

/** @throws ForbiddenError for a viewer who may not see personal agents */
export async function countAgentUse(viewer: Viewer, id: string): Promise<AgentUse> {
  assertMay(viewer, 'personal-agents.read')
  const { rows } = await pool().query<AgentUse>(useStatement, [id])
  return rows[0] ?? { openConversations: 0, liveGrants: 0 }
}

/** How often a personal agent's requests were refused in the last 24 hours, the most frequent reason first. */
export async function listAgentRefusals(
  viewer: Viewer,
  id: string,
): Promise<{ reason: CountedReason; count: number }[]> {
  assertMay(viewer, 'refusals.read')
  const { rows } = await pool().query<{ reason: CountedReason; count: number }>(
    `SELECT "reason", sum("count")::float8 AS "count" FROM "RefusedRequests"
    WHERE "hour" > now() - interval '24 hours' AND "personalAgentId" = $1
    GROUP BY "reason" ORDER BY "count" DESC, "reason"`,
    [id],
  )
  return rows
}
