'use server'

import { z } from 'zod'
import { auditIdSchema } from '#lib/access/audit-list-schema.ts'
import { may } from '#lib/access/permissions.ts'
import { chainStart, countAudit, verifyAudit } from '#lib/access/verify-audit.ts'
import { requireViewer } from '../../viewer.ts'

/** Events that one call checks: it stays short, however long the log is. */
const PART = 20_000

const placeSchema = z.object({ id: auditIdSchema, hash: z.string().regex(/^[0-9a-f]{64}$/) }).optional()

/** What one call found; while `state` is `more`, the next goes on at `place`. */
export type ChainPart =
  | { state: 'more' | 'holds'; place: { id: string; hash: string }; all: number }
  | { state: 'broken'; id: string; because: 'missing' | 'unlinked' | 'changed' }
  | { state: 'forbidden' }

/** Checks a part of the audit log's chain, for whoever may read all of it. */
export async function checkChain(from?: { id: string; hash: string }): Promise<ChainPart> {
  const viewer = await requireViewer()
  const place = placeSchema.safeParse(from)
  if (!may(viewer, 'audit.read') || !place.success) return { state: 'forbidden' }
  const start = place.data ? { id: place.data.id, hash: Buffer.from(place.data.hash, 'hex') } : chainStart
  const [check, all] = await Promise.all([verifyAudit(start, PART), countAudit()])
  if (check.broken) return { state: 'broken', id: String(check.broken.id), because: check.broken.because }
  const { last, complete } = check
  return {
    state: complete ? 'holds' : 'more',
    place: { id: String(last.id), hash: last.hash.toString('hex') },
    all: Number(all),
  }
}
