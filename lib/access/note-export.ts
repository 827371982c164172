import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { brandFilter, type Permission, type Viewer } from './permissions.ts'

/** What leaves the console as a file. */
export type Exported = 'receipts' | 'audit' | 'provision'

/** The one Brand that an export is about; undefined where it is about more of them, or the Provider. */
function concernedBrand(viewer: Viewer, permission: Permission, chosen: string | undefined) {
  const { brandId } = brandFilter(viewer, permission, chosen)
  if (typeof brandId !== 'string' && brandId?.in.length === 1) return brandId.in[0]
  return typeof brandId === 'string' ? brandId : undefined
}

/**
 * Notes in the audit log that somebody takes data away as a file: who, which, and narrowed by what. Before the first byte
 * leaves, so that an export that breaks off is there too.
 *
 * @param asked.filter as the address says it
 * @throws ForbiddenError for a Brand that is not the viewer's
 */
export async function noteExport(
  viewer: Viewer,
  actor: Actor,
  what: Exported,
  asked: { permission: Permission; brand?: string | undefined; filter?: object },
): Promise<void> {
  const brandId = concernedBrand(viewer, asked.permission, asked.brand)
  const entry = { actor, action: `${what}.export` as const, subject: what, after: asked.filter }
  await prisma().$transaction((transaction) =>
    appendAudit(transaction, [brandId === undefined ? entry : { ...entry, brandId }]),
  )
}
