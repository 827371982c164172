/** Where a list goes on: the row that was shown last, or first. Lists are ordered by time, then id, the latest first. */
export type Cursor = { at: Date; id: string }

/** Which page of a list: the newest, or the one beside a row. `limit`: rows on it, where that is not {@link PAGE_SIZE}. */
export type PageRequest = {
  before?: Cursor | undefined
  after?: Cursor | undefined
  limit?: number | undefined
}

/** A page of a list, with the cursors of what lies beside it. */
export type Page<Row> = { rows: Row[]; before: string | undefined; after: string | undefined }

/** Rows on a page of a list. */
export const PAGE_SIZE = 50

/** Rows on the page that is asked for. */
export function pageSizeOf({ limit = PAGE_SIZE }: { limit?: number | undefined }): number {
  return limit
}

/** A cursor as an address holds it. */
export function formatCursor({ at, id }: Cursor): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url')
}

/** Reads {@link formatCursor}'s text; undefined when it is none. */
export function readCursor(text: unknown): Cursor | undefined {
  if (typeof text !== 'string') return undefined
  const [, time, id] = /^(\d{1,15}) ([\w-]{1,100})$/.exec(Buffer.from(text, 'base64url').toString()) ?? []
  const at = new Date(Number(time))
  return time === undefined || id === undefined || Number.isNaN(at.getTime()) ? undefined : { at, id }
}

/**
 * Which page an address asks for; the newest where it makes no sense.
 *
 * @param isId what the list's ids look like
 */
export function readPageRequest(query: { before?: unknown; after?: unknown }, isId: RegExp): PageRequest {
  const [before, after] = [readCursor(query.before), readCursor(query.after)]
  if (before && isId.test(before.id)) return { before }
  return after && isId.test(after.id) ? { after } : {}
}

/**
 * Reads the page that is asked for; the newest when nothing is on it (any more).
 *
 * @param list reads a page
 */
export async function readPageOrNewest<Row>(
  list: (request: PageRequest) => Promise<Page<Row>>,
  request: PageRequest,
): Promise<Page<Row>> {
  const page = await list(request)
  const { before, after, ...rest } = request
  return page.rows.length === 0 && (before ?? after) ? list(rest) : page
}

/**
 * Makes a page of rows that were read in the direction of the request, with one row more than it has where there is one.
 *
 * @param cursorOf the place of a row in the list
 */
export function toPage<Row>(
  read: readonly Row[],
  request: PageRequest,
  cursorOf: (row: Row) => Cursor,
): Page<Row> {
  const size = pageSizeOf(request)
  const more = read.length > size
  const kept = read.slice(0, size)
  const rows = request.before ? kept.reverse() : kept
  const [first, last] = [rows[0], rows.at(-1)]
  const newer = request.before ? more : request.after !== undefined
  const older = request.before ? true : more
  return {
    rows,
    before: newer && first ? formatCursor(cursorOf(first)) : undefined,
    after: older && last ? formatCursor(cursorOf(last)) : undefined,
  }
}
