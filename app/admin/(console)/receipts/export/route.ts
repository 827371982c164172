import { z } from 'zod'
import { exportReceipts } from '#lib/delegation/export-receipts.ts'
import { receiptFilterSchema } from '#lib/delegation/receipt-list-schema.ts'
import { exportFormats } from '#lib/platform/streamed-export.ts'
import { actorOf, orNotFound, requirePermission } from '../../../viewer.ts'

export const dynamic = 'force-dynamic'

const formatSchema = z.enum(exportFormats).catch('csv')

/** The receipts of a filter as a file, CSV or JSON Lines (`format`). */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requirePermission('receipts.export')
  const query = Object.fromEntries(new URL(request.url).searchParams)
  const filter = receiptFilterSchema.parse(query)
  const name = `receipts-${new Date().toISOString().slice(0, 10)}`
  const format = formatSchema.parse(query.format)
  return orNotFound(exportReceipts({ viewer, actor: await actorOf(viewer) }, filter, { format, name }))
}
