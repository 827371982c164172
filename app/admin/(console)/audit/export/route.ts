import { auditFilterSchema, exportFormatSchema } from '#lib/access/audit-list-schema.ts'
import { exportAudit } from '#lib/access/export-audit.ts'
import { actorOf, orNotFound, requirePermission } from '../../../viewer.ts'

export const dynamic = 'force-dynamic'

/** The audit log as its list is filtered, as a file. */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requirePermission('audit.read')
  const params = Object.fromEntries(new URL(request.url).searchParams)
  const filter = auditFilterSchema.parse(params)
  const format = exportFormatSchema.parse(params.format)
  return orNotFound(exportAudit({ viewer, actor: await actorOf(viewer) }, filter, format))
}
