import { z } from 'zod'
import { auditIdSchema } from './audit-list-schema.ts'
import { assertMay, type Viewer } from './permissions.ts'
import { chainStart, countAudit, verifyAudit } from './verify-audit.ts'

/** Events that one call checks: it stays short, however long the log is. */
const PART = 20_000

/** A place of the chain up to which it holds, as an earlier call gave it. */
export const chainPlaceSchema = z.strictObject({
  id: auditIdSchema,
  hash: z.string().regex(/^[0-9a-f]{64}$/),
})

/** What one call found; while `state` is `more`, the next goes on at `place`. `all`: the number of the latest event. */
export type ChainPart =
  | { state: 'more' | 'holds'; place: { id: string; hash: string }; all: number }
  | { state: 'broken'; id: string; because: 'missing' | 'unlinked' | 'changed' }

/**
 * Checks a part of the audit log's chain.
 *
 * @param place where to go on; undefined: at the start
 * @throws ForbiddenError for whoever may not read all of it
 */
export async function checkAuditPart(
  viewer: Viewer,
  place: z.output<typeof chainPlaceSchema> | undefined,
): Promise<ChainPart> {
  assertMay(viewer, 'audit.read')
  const start = place ? { id: place.id, hash: Buffer.from(place.hash, 'hex') } : chainStart
  const [check, all] = await Promise.all([verifyAudit(start, PART), countAudit()])
  if (check.broken) return { state: 'broken', id: String(check.broken.id), because: check.broken.because }
  const { last, complete } = check
  return {
    state: complete ? 'holds' : 'more',
    place: { id: String(last.id), hash: last.hash.toString('hex') },
    all: Number(all),
  }
}
