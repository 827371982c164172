import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { pool } from '#lib/platform/database.ts'
import { pageSizeOf } from '#lib/platform/keyset.ts'
import type { AgentListQuery, AgentOrder } from './agent-list-schema.ts'
import { failingCondition } from './failing-agents.ts'

export type ListedAgent = {
  id: string
  name: string
  issuer: string
  enabled: boolean
  origin: 'registered' | 'discovered'
  /** Its keys could not be had lately. */
  failing: boolean
  createdAt: Date
}

export type AgentPage = {
  rows: ListedAgent[]
  /** The row with which the neighbouring page begins or ends, where there is one. */
  before: string | undefined
  after: string | undefined
}

const keys = { name: 'lower("name")', created: '"createdAt"' } as const

function orderOf(sort: AgentOrder, backwards: boolean) {
  const descending = sort.startsWith('-') !== backwards
  const key = keys[sort.replace('-', '') as keyof typeof keys]
  return { key, direction: descending ? 'DESC' : 'ASC', beyond: descending ? '<' : '>' }
}

type ListRequest = AgentListQuery & { limit?: number }

function buildStatement({ sort, before, limit }: ListRequest): string {
  const { key, direction, beyond } = orderOf(sort, before !== undefined)
  return `
SELECT "id", "name", "issuer", "enabled", "origin", "createdAt", ${failingCondition} AS "failing"
FROM "PersonalAgent" p
WHERE ($1::text IS NULL OR strpos(lower("name"), lower($1)) > 0 OR strpos(lower("issuer"), lower($1)) > 0)
  AND ($2::boolean IS NULL OR "enabled" = $2)
  AND ($3::text IS NULL OR "origin"::text = $3)
  AND (NOT $4::boolean OR ${failingCondition})
  AND (NOT EXISTS (SELECT FROM "PersonalAgent" WHERE "id" = $5::uuid)
    OR (${key}, "id") ${beyond} (SELECT ${key}, "id" FROM "PersonalAgent" WHERE "id" = $5))
ORDER BY ${key} ${direction}, "id" ${direction}
LIMIT ${pageSizeOf({ limit }) + 1}`
}

/**
 * Lists personal agents, disabled and discovered ones too (§3.1).
 *
 * @throws ForbiddenError for a viewer who may not see them
 */
export async function listAgents(viewer: Viewer, query: ListRequest): Promise<AgentPage> {
  assertMay(viewer, 'personal-agents.read')
  const { q, state, origin, keys: wanted, before, after } = query
  const { rows: found } = await pool().query<ListedAgent>(buildStatement(query), [
    q ?? null,
    state === undefined ? null : state === 'enabled',
    origin ?? null,
    wanted === 'failing',
    before ?? after ?? null,
  ])
  const size = pageSizeOf(query)
  const more = found.length > size
  const kept = found.slice(0, size)
  const rows = before ? kept.reverse() : kept
  const hasEarlier = before ? more : after !== undefined
  const hasLater = before ? true : more
  return {
    rows,
    before: hasEarlier ? rows[0]?.id : undefined,
    after: hasLater ? rows.at(-1)?.id : undefined,
  }
}
