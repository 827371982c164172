import { z } from 'zod'
import { COUNTED_ID, LATEST_ID } from '#lib/access/refusals.ts'
import { countedReasons } from '#lib/identity/refusal.ts'
import { type PageRequest, readPageRequest } from '#lib/platform/keyset.ts'

const cursor = z.string().optional().catch(undefined)

/** What the address may say; nonsense counts as not said. */
export const querySchema = z.object({
  hours: z.enum(['1', '24', '168', '720']).catch('24'),
  reason: z.enum(countedReasons).optional().catch(undefined),
  agent: z.uuid().optional().catch(undefined),
  /** The page of those by personal agent and reason. */
  countedBefore: cursor,
  countedAfter: cursor,
  /** The page of the last ones. */
  before: cursor,
  after: cursor,
})

export type RefusalQuery = z.output<typeof querySchema>

/** What the address calls the cursors of the list by personal agent and reason. */
export const countedNames = { before: 'countedBefore', after: 'countedAfter' } as const

/** Which page of each list the address asks for; the newest where the cursor is none of that list. */
export function readPages({ countedBefore, countedAfter, before, after }: RefusalQuery): {
  counted: PageRequest
  latest: PageRequest
} {
  return {
    counted: readPageRequest({ before: countedBefore, after: countedAfter }, COUNTED_ID),
    latest: readPageRequest({ before, after }, LATEST_ID),
  }
}
