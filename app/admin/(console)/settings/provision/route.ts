import { exportProvisionFor } from '#lib/provisioning/export-provision.ts'
import { actorOf, orNotFound, requirePermission } from '../../../viewer.ts'

export const dynamic = 'force-dynamic'

/** The whole Provider as a provision file. */
export async function GET(): Promise<Response> {
  const viewer = await requirePermission('provision.export')
  const text = await orNotFound(exportProvisionFor({ viewer, actor: await actorOf(viewer) }))
  return new Response(text, {
    headers: {
      'Content-Type': 'application/yaml; charset=utf-8',
      'Content-Disposition': 'attachment; filename="provision.yaml"',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
