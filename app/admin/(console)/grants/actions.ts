'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { ForbiddenError, mayAnywhere } from '#lib/access/permissions.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { matchingGrantsSchema } from '#lib/delegation/grant-list-schema.ts'
import {
  countRevocable,
  revokeGrantByConsole,
  revokeNextMatching,
} from '#lib/delegation/revoke-by-console.ts'
import { log } from '#lib/platform/log.ts'
import { formAction } from '../../form-action.ts'
import { actorOf, requireViewer } from '../../viewer.ts'
import { texts } from './texts.ts'

const revoke = formAction({
  permission: 'grants.revoke',
  brandOf: (data) => String(data.get('brandId')),
  schema: z.object({ brandId: brandIdSchema, id: z.string().min(1).max(200) }),
  async run({ id }, { viewer, actor }) {
    const revoked = await revokeGrantByConsole(viewer, actor, id)
    revalidatePath('/admin/grants', 'layout')
    return { status: 'done', message: revoked ? texts.revoke.done : texts.revoke.before }
  },
})

/** Revokes one grant. */
export async function revokeAction(...given: Parameters<typeof revoke>) {
  return revoke(...given)
}

/** What an action over many grants answers. */
export type MatchingAnswer = { ok: true; count: number } | { ok: false; reason: 'forbidden' | 'failed' }

async function overMatching(given: unknown, run: 'count' | 'revoke'): Promise<MatchingAnswer> {
  const viewer = await requireViewer()
  const matching = matchingGrantsSchema.safeParse(given)
  if (!matching.success || !mayAnywhere(viewer, 'grants.revoke')) return { ok: false, reason: 'forbidden' }
  try {
    const count =
      run === 'count'
        ? await countRevocable(viewer, matching.data)
        : await revokeNextMatching(viewer, await actorOf(viewer), matching.data)
    return { ok: true, count }
  } catch (error) {
    if (error instanceof ForbiddenError) return { ok: false, reason: 'forbidden' }
    log().error({ err: error }, 'grants could not be revoked')
    return { ok: false, reason: 'failed' }
  }
}

/** Counts the live grants that match a filter and that the viewer may revoke. */
export async function countMatchingAction(matching: unknown): Promise<MatchingAnswer> {
  return overMatching(matching, 'count')
}

/** Revokes the next of them; called until it revokes none. @returns how many */
export async function revokeNextAction(matching: unknown): Promise<MatchingAnswer> {
  return overMatching(matching, 'revoke')
}
