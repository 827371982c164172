'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { ForbiddenError, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { matchingGrantsSchema, nextMatchingSchema } from '#lib/delegation/grant-list-schema.ts'
import {
  countRevocable,
  revokeGrantByConsole,
  revokeNextMatching,
} from '#lib/delegation/revoke-by-console.ts'
import { SearchCutError } from '#lib/identity/find-by-words.ts'
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

/** What an action over many grants answers. `last`: after which the next batch goes on. */
export type MatchingAnswer =
  | { ok: true; count: number; last?: string | undefined }
  | { ok: false; reason: 'forbidden' | 'too-wide' | 'failed' }

async function overMatching<T>(
  given: unknown,
  schema: z.ZodType<T>,
  run: (viewer: Viewer, matching: T) => Promise<{ count: number; last?: string | undefined }>,
): Promise<MatchingAnswer> {
  const viewer = await requireViewer()
  const matching = schema.safeParse(given)
  if (!matching.success || !mayAnywhere(viewer, 'grants.revoke')) return { ok: false, reason: 'forbidden' }
  try {
    return { ok: true, ...(await run(viewer, matching.data)) }
  } catch (error) {
    if (error instanceof ForbiddenError) return { ok: false, reason: 'forbidden' }
    if (error instanceof SearchCutError) return { ok: false, reason: 'too-wide' }
    log().error({ err: error }, 'grants could not be revoked')
    return { ok: false, reason: 'failed' }
  }
}

/** Counts the live grants that match a filter and that the viewer may revoke. */
export async function countMatchingAction(matching: unknown): Promise<MatchingAnswer> {
  return overMatching(matching, matchingGrantsSchema, async (viewer, checked) => ({
    count: await countRevocable(viewer, checked),
  }))
}

/** Revokes the next of them; called, after the last one, until it revokes none. */
export async function revokeNextAction(matching: unknown): Promise<MatchingAnswer> {
  return overMatching(matching, nextMatchingSchema, async (viewer, checked) =>
    revokeNextMatching(viewer, await actorOf(viewer), checked),
  )
}
