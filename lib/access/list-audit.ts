import { pool } from '#lib/platform/database.ts'
import { pageSizeOf } from '#lib/platform/keyset.ts'
import type { AuditFilter, AuditPageRequest } from './audit-list-schema.ts'
import { brandFilter, brandsWhere, ForbiddenError, type Viewer } from './permissions.ts'

/** Events in a batch of an export. */
const BATCH_SIZE = 1_000
const DAY = 86_400_000

/** An event of the audit log, as it was appended. */
export type AuditEvent = {
  id: bigint
  at: Date
  actorKind: string
  actorId: string | null
  actor: string
  brandId: string | null
  /** Null also of a Brand that is gone. */
  brandName: string | null
  action: string
  subject: string
  before: unknown
  after: unknown
  address: string | null
  previousHash: Buffer
  hash: Buffer
}

type Row = Omit<AuditEvent, 'id'> & { id: string }

type Reach = { direction: 'older' | 'newer'; beyond?: bigint | undefined; limit: number }

const toEvent = (row: Row): AuditEvent => ({ ...row, id: BigInt(row.id) })

/** The conditions of a filter, and the values that they name. The log's times rise with its ids. */
function buildConditions({ actor, action, from, until }: AuditFilter, { direction, beyond }: Reach) {
  const values: unknown[] = []
  const conditions: string[] = []
  const add = (value: unknown, condition: (name: string) => string) => {
    conditions.push(condition(`$${values.push(value)}`))
  }
  if (actor) add(actor, (name) => `e."actor" = ${name}`)
  if (action) add(action, (name) => `e."action" = ${name}`)
  if (from)
    add(
      from,
      (name) =>
        `e."id" >= (SELECT f."id" FROM "AuditEvent" f WHERE f."at" >= ${name} ORDER BY f."at", f."id" LIMIT 1)`,
    )
  if (until) {
    const end = new Date(until.getTime() + DAY)
    add(
      end,
      (name) =>
        `e."id" <= (SELECT u."id" FROM "AuditEvent" u WHERE u."at" < ${name} ORDER BY u."at" DESC, u."id" DESC LIMIT 1)`,
    )
  }
  if (beyond !== undefined)
    add(String(beyond), (name) => `e."id" ${direction === 'older' ? '<' : '>'} ${name}::bigint`)
  return { conditions, values }
}

/** The Brands that a list reads; undefined: everything, what concerns the Provider too. */
function listedBrands(viewer: Viewer, chosen: string | undefined): string[] | undefined {
  const { brandId } = brandFilter(viewer, 'audit.read', chosen)
  if (brandId === undefined) return undefined
  return typeof brandId === 'string' ? [brandId] : brandId.in
}

async function readEvents(viewer: Viewer, filter: AuditFilter, reach: Reach): Promise<AuditEvent[]> {
  const brands = listedBrands(viewer, filter.brand)
  const { conditions, values } = buildConditions(filter, reach)
  const order = reach.direction === 'older' ? 'DESC' : 'ASC'
  const select = (columns: string, more: string[]) => {
    const all = [...conditions, ...more]
    return `SELECT ${columns} FROM "AuditEvent" e ${all.length > 0 ? `WHERE ${all.join(' AND ')}` : ''}
      ORDER BY e."id" ${order} LIMIT ${reach.limit}`
  }
  // Of several Brands each is read from its own end of the index, and events only once it is known which.
  const found = brands
    ? `SELECT e.* FROM (
         SELECT f."id" FROM unnest($${values.push(brands)}::text[]) AS allowed("id")
         CROSS JOIN LATERAL (${select('e."id"', ['e."brandId" = allowed."id"'])}) f
         ORDER BY f."id" ${order} LIMIT ${reach.limit}
       ) listed JOIN "AuditEvent" e ON e."id" = listed."id"`
    : select('e.*', [])
  const { rows } = await pool().query<Row>(
    `SELECT f.*, b."name" AS "brandName" FROM (${found}) f LEFT JOIN "Brand" b ON b."id" = f."brandId"
     ORDER BY f."id" ${order}`,
    values,
  )
  return rows.map(toEvent)
}

/** A page of the log; `before` and `after` are there where the list goes on. */
export type AuditPage = { rows: AuditEvent[]; before: string | undefined; after: string | undefined }

/**
 * Lists events of the audit log, the latest first, as far as a viewer may see them.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function listAudit(
  viewer: Viewer,
  filter: AuditFilter,
  { before, after, limit }: AuditPageRequest & { limit?: number } = {},
): Promise<AuditPage> {
  const size = pageSizeOf({ limit })
  const direction = before === undefined ? 'older' : 'newer'
  const read = await readEvents(viewer, filter, { direction, beyond: before ?? after, limit: size + 1 })
  const more = read.length > size
  const kept = read.slice(0, size)
  const rows = direction === 'newer' ? kept.reverse() : kept
  const newer = direction === 'newer' ? more : after !== undefined
  const older = direction === 'newer' ? true : more
  return {
    rows,
    before: newer ? rows[0]?.id.toString() : undefined,
    after: older ? rows.at(-1)?.id.toString() : undefined,
  }
}

/**
 * Reads all events that a filter leaves, the latest first, in batches: what arrives meanwhile is not among them.
 *
 * @throws ForbiddenError for a Brand that is not the viewer's, before anything is read
 */
export async function* readAuditInBatches(viewer: Viewer, filter: AuditFilter): AsyncGenerator<AuditEvent[]> {
  let beyond: bigint | undefined
  for (;;) {
    const rows = await readEvents(viewer, filter, { direction: 'older', beyond, limit: BATCH_SIZE })
    if (rows.length > 0) yield rows
    if (rows.length < BATCH_SIZE) return
    beyond = rows.at(-1)?.id
  }
}

/** One event. @throws ForbiddenError for one that the viewer may not see, and in the same way where there is none */
export async function getAuditEvent(viewer: Viewer, id: bigint): Promise<AuditEvent> {
  const { rows } = await pool().query<Row>(
    `SELECT e.*, b."name" AS "brandName" FROM "AuditEvent" e LEFT JOIN "Brand" b ON b."id" = e."brandId"
     WHERE e."id" = $1::bigint`,
    [String(id)],
  )
  const [row] = rows
  const brands = brandsWhere(viewer, 'audit.read')
  const visible = row && (brands === 'all' || (row.brandId !== null && brands.includes(row.brandId)))
  if (!visible) throw new ForbiddenError('no such event')
  return toEvent(row)
}

type Actions = { action: string }

/** Every kind of action that the log holds. One index probe each: they are few. */
export async function listAuditActions(): Promise<string[]> {
  const { rows } = await pool().query<Actions>(`
    WITH RECURSIVE kinds AS (
      (SELECT "action" FROM "AuditEvent" ORDER BY "action" LIMIT 1)
      UNION ALL
      SELECT (SELECT e."action" FROM "AuditEvent" e WHERE e."action" > kinds."action" ORDER BY e."action" LIMIT 1)
      FROM kinds WHERE kinds."action" IS NOT NULL
    ) SELECT "action" FROM kinds WHERE "action" IS NOT NULL`)
  return rows.map(({ action }) => action)
}
