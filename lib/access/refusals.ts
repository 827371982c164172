import { KEPT_DAYS } from '#lib/identity/store-refusals.ts'
import { type ConditionList, newConditions } from '#lib/platform/condition-list.ts'
import { pool } from '#lib/platform/database.ts'
import { type Cursor, type Page, type PageRequest, pageSizeOf, toPage } from '#lib/platform/keyset.ts'
import { assertMay, may, type Viewer } from './permissions.ts'

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

/** Whether refused requests are among what a viewer is shown: most name no Brand that can be trusted, so of one Brand they are unknown. */
export function seesRefusals(viewer: Viewer, brand: string | undefined): boolean {
  return brand === undefined && may(viewer, 'refusals.read')
}

type Wanted = { hours: number; personalAgentId?: string; reason?: string }

function namedAgent(name: string | null, issuer: string | null): RefusalRow['personalAgent'] {
  return name !== null && issuer !== null ? { name, issuer } : undefined
}

/** In SQL: who has an id as refused requests have it, `r`. */
const joinAgent = `LEFT JOIN "PersonalAgent" p ON p."id" = nullif(r."personalAgentId", '')::uuid`

function addWanted({ add, value }: ConditionList, { personalAgentId, reason }: Wanted): void {
  if (personalAgentId !== undefined) add(`"personalAgentId" = ${value(personalAgentId)}`)
  if (reason !== undefined) add(`"reason" = ${value(reason)}`)
}

/** How a page is read: in which direction, and from which row on. */
function directionOf({ before, after }: PageRequest) {
  const cursor = before ?? after
  return before
    ? ({ cursor, order: 'ASC', beyond: '>' } as const)
    : ({ cursor, order: 'DESC', beyond: '<' } as const)
}

const countedId = ({ count, reason, personalAgentId }: RefusalRow) => `${count}-${reason}-${personalAgentId}`

/** What the ids of {@link listRefusals}' rows look like: count, reason, and personal agent where one was recognised. */
export const COUNTED_ID = /^(\d{1,16})-([a-z_]+)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|)$/

/** What {@link countedId} is made of; undefined for the id of another list. */
function readCountedId({ id }: Cursor) {
  const [, count, reason, personalAgentId] = COUNTED_ID.exec(id) ?? []
  return count === undefined ? undefined : { count: Number(count), reason, personalAgentId }
}

// The days that lie wholly in the time are read off the days, only the first hours off the hours.
function buildCountedStatement(wanted: Wanted, page: PageRequest) {
  const conditions = newConditions()
  const { value } = conditions
  addWanted(conditions, wanted)
  const { cursor, order, beyond } = directionOf(page)
  const place = cursor && readCountedId(cursor)
  const since = `now() - ${value(wanted.hours)} * interval '1 hour'`
  const wholeDays = `date_trunc('day', ${since}, 'UTC') + interval '24 hours'`
  const from = place
    ? `HAVING (max("lastHour"), sum("count"), "personalAgentId", "reason") ${beyond}
        (${value(cursor.at)}, ${value(place.count)}, ${value(place.personalAgentId)}, ${value(place.reason)})`
    : ''
  const orderBy = ['"lastHour"', '"count"', '"personalAgentId"', '"reason"']
    .map((column) => `${column} ${order}`)
    .join(', ')
  const text = `
SELECT r.*, p."name", p."issuer" FROM (
  SELECT "personalAgentId", "reason", sum("count")::float8 AS "count", max("lastHour") AS "lastHour" FROM (
    SELECT "personalAgentId", "reason", "count", "hour" AS "lastHour" FROM "RefusedRequests"
    WHERE "hour" > ${since} AND "hour" < ${wholeDays} AND ${conditions.text()}
    UNION ALL
    SELECT "personalAgentId", "reason", "count", "lastHour" FROM "RefusedDay"
    WHERE "day" >= ${wholeDays} AND ${conditions.text()}
  ) counted
  GROUP BY "personalAgentId", "reason" ${from} ORDER BY ${orderBy} LIMIT ${pageSizeOf(page) + 1}
) r ${joinAgent}
ORDER BY ${orderBy}`
  return { text, values: conditions.values }
}

type CountedRow = Omit<RefusalRow, 'personalAgent'> & Record<'name' | 'issuer', string | null>

/**
 * Refused requests by personal agent and reason, the latest first. Who the Users were is not known.
 *
 * @param options.hours how far to look back
 * @throws ForbiddenError
 */
export async function listRefusals(
  viewer: Viewer,
  options: Wanted,
  page: PageRequest = {},
): Promise<Page<RefusalRow>> {
  assertMay(viewer, 'refusals.read')
  const { rows } = await pool().query<CountedRow>(buildCountedStatement(options, page))
  const listed = rows.map(({ name, issuer, ...row }) => ({ ...row, personalAgent: namedAgent(name, issuer) }))
  return toPage(listed, page, (row) => ({ at: row.lastHour, id: countedId(row) }))
}

/** What the ids of {@link listLatestRefusals}' rows look like. */
export const LATEST_ID = /^[0-9a-f]{32}$/

/** In SQL: tells apart what came at one moment, as {@link LATEST_ID} says. */
const latestId = `md5(concat_ws(' ', "personalAgentId", "reason", extract(epoch FROM "minute"), "brandId", "issuer"))`

function buildLatestStatement(wanted: Wanted, page: PageRequest) {
  const conditions = newConditions()
  const { add, value } = conditions
  add(`"at" > now() - ${value(Math.min(wanted.hours, KEPT_DAYS * 24))} * interval '1 hour'`)
  addWanted(conditions, wanted)
  const { cursor, order, beyond } = directionOf(page)
  if (cursor) {
    const at = value(cursor.at)
    add(`"at" ${beyond}= ${at} AND ("at", ${latestId}) ${beyond} (${at}, ${value(cursor.id)})`)
  }
  const text = `
SELECT r."personalAgentId", r."reason", r."issuer", r."count"::float8 AS "count", r."at", r."id", p."name" AS "agentName",
  p."issuer" AS "agentIssuer", b."id" AS "brandId", b."name" AS "brandName"
FROM (
  SELECT *, ${latestId} AS "id" FROM "Refusal" WHERE ${conditions.text()}
  ORDER BY "at" ${order}, "id" ${order} LIMIT ${pageSizeOf(page) + 1}
) r ${joinAgent} LEFT JOIN "Brand" b ON b."id" = r."brandId"
ORDER BY r."at" ${order}, r."id" ${order}`
  return { text, values: conditions.values }
}

type LatestRow = Pick<LatestRefusal, 'personalAgentId' | 'reason' | 'issuer' | 'count' | 'at'> & {
  id: string
} & Record<'agentName' | 'agentIssuer' | 'brandId' | 'brandName', string | null>

/**
 * The last refused requests, the latest first: of each personal agent and reason as many as are kept, for a week.
 *
 * @param options.hours how far to look back
 * @throws ForbiddenError
 */
export async function listLatestRefusals(
  viewer: Viewer,
  options: Wanted,
  page: PageRequest = {},
): Promise<Page<LatestRefusal>> {
  assertMay(viewer, 'refusals.read')
  const { rows } = await pool().query<LatestRow>(buildLatestStatement(options, page))
  const ofRows = toPage(rows, page, ({ at, id }) => ({ at, id }))
  return {
    ...ofRows,
    rows: ofRows.rows.map(({ id: _id, agentName, agentIssuer, brandId, brandName, ...row }) => ({
      ...row,
      personalAgent: namedAgent(agentName, agentIssuer),
      brand: brandId !== null && brandName !== null ? { id: brandId, name: brandName } : undefined,
    })),
  }
}
