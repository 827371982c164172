'use server'

import {
  type ChainPart as CheckedPart,
  chainPlaceSchema,
  checkAuditPart,
} from '#lib/access/check-audit-part.ts'
import { may } from '#lib/access/permissions.ts'
import { requireViewer } from '../../viewer.ts'

/** What one call found; while `state` is `more`, the next goes on at `place`. */
export type ChainPart = CheckedPart | { state: 'forbidden' }

/** Checks a part of the audit log's chain, for whoever may read all of it. */
export async function checkChain(from?: { id: string; hash: string }): Promise<ChainPart> {
  const viewer = await requireViewer()
  const place = chainPlaceSchema.optional().safeParse(from)
  if (!may(viewer, 'audit.read') || !place.success) return { state: 'forbidden' }
  return checkAuditPart(viewer, place.data)
}
