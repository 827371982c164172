import { pool } from '#lib/platform/database.ts'
import { FIRST_HASH, hashLink } from './audit.ts'

/** Events that are read at once. */
const BATCH_SIZE = 1_000

/** A place of the chain up to which it holds: the number of an event and its hash. */
export type ChainPlace = { id: bigint; hash: Buffer }

/** Before the first event. */
export const chainStart: ChainPlace = { id: 0n, hash: FIRST_HASH }

/** The first link that does not hold. */
export type BrokenLink = {
  id: bigint
  /** `missing`: no event has this number; `unlinked`: it does not name the one before; `changed`: its content is another. */
  because: 'missing' | 'unlinked' | 'changed'
}

export type ChainCheck =
  | { broken: BrokenLink; checked: number }
  | { broken: undefined; checked: number; last: ChainPlace; complete: boolean }

type Row = Parameters<typeof hashLink>[1] & { previousHash: Buffer; hash: Buffer }

async function readAfter({ id }: ChainPlace, limit: number): Promise<Row[]> {
  const { rows } = await pool().query<Omit<Row, 'id'> & { id: string }>(
    'SELECT * FROM "AuditEvent" WHERE "id" > $1::bigint ORDER BY "id" LIMIT $2',
    [String(id), limit],
  )
  return rows.map((row) => ({ ...row, id: BigInt(row.id) }))
}

function findFault(row: Row, place: ChainPlace): BrokenLink | undefined {
  const expected = place.id + 1n
  if (row.id !== expected) return { id: expected, because: 'missing' }
  if (!row.previousHash.equals(place.hash)) return { id: row.id, because: 'unlinked' }
  const { hash, previousHash, ...link } = row
  return hashLink(previousHash, link).equals(hash) ? undefined : { id: row.id, because: 'changed' }
}

/**
 * Checks the audit log's chain from a place that is known to hold, and finds the first link that does not. Reads in
 * batches, in constant memory. It can't see that the newest events were cut off: for that, keep the last place elsewhere.
 *
 * @param from where to begin: the start, or where an earlier check ended
 * @param most how many events to look at; `complete` says whether that was all
 */
export async function verifyAudit(
  from: ChainPlace = chainStart,
  most = Number.POSITIVE_INFINITY,
): Promise<ChainCheck> {
  let place = from
  let checked = 0
  while (checked < most) {
    const limit = Math.min(BATCH_SIZE, most - checked)
    const rows = await readAfter(place, limit)
    for (const row of rows) {
      const broken = findFault(row, place)
      if (broken) return { broken, checked }
      place = { id: row.id, hash: row.hash }
      checked += 1
    }
    if (rows.length < limit) return { broken: undefined, checked, last: place, complete: true }
  }
  return { broken: undefined, checked, last: place, complete: false }
}

/**
 * Whether the log still has an event as it was noted elsewhere: otherwise it was cut off before, or written anew.
 */
export async function holdsPlace({ id, hash }: ChainPlace): Promise<boolean> {
  const { rows } = await pool().query<{ hash: Buffer }>(
    'SELECT "hash" FROM "AuditEvent" WHERE "id" = $1::bigint',
    [String(id)],
  )
  return rows[0]?.hash.equals(hash) ?? false
}

/** The number of the latest event: how far a check has to go. */
export async function countAudit(): Promise<bigint> {
  const { rows } = await pool().query<{ id: string }>(
    'SELECT "id" FROM "AuditEvent" ORDER BY "id" DESC LIMIT 1',
  )
  return BigInt(rows[0]?.id ?? 0)
}
