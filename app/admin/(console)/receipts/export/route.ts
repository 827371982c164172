import { z } from 'zod'
import { noteExport } from '#lib/access/note-export.ts'
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
  const asked = { permission: 'receipts.export', brand: filter.brand, filter: { ...filter, format } } as const
  await orNotFound(noteExport(viewer, await actorOf(viewer), 'receipts', asked))
  return exportReceipts(viewer, filter, { format, name })
}
