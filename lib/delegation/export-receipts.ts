import type { Actor } from '#lib/access/audit.ts'
import { noteExport } from '#lib/access/note-export.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { buildExportResponse, type ExportFormat, type ExportRow } from '#lib/platform/streamed-export.ts'
import { type ListedReceipt, readReceipts, receiptCursor } from './list-receipts.ts'
import type { ReceiptFilter } from './receipt-list-schema.ts'

/** Receipts that one statement of an export reads. */
const CHUNK = 500

/** What a row of the table has, and of the JSON Lines: there the claims stay as they were signed. */
const columns = {
  csv: [
    'id',
    'issuedAt',
    'brandId',
    'brandName',
    'personalAgent',
    'user',
    'grantId',
    'scopesUsed',
    'tools',
    'contextId',
    'messageId',
    'jws',
  ],
  jsonl: ['id', 'issuedAt', 'brandId', 'contextId', 'messageId', 'claims', 'jws'],
} as const satisfies Record<ExportFormat, readonly string[]>

function toRow({
  claims,
  brand,
  personalAgent: _agent,
  conversationId,
  ...receipt
}: ListedReceipt): ExportRow {
  return {
    ...receipt,
    brandId: brand.id,
    brandName: brand.name,
    personalAgent: claims.pa,
    user: claims.user,
    grantId: claims.grantId,
    scopesUsed: claims.scopesUsed.join(' '),
    tools: claims.actions.map(({ tool }) => tool).join(' '),
    contextId: conversationId,
    claims,
  }
}

async function* readChunks(viewer: Viewer, filter: ReceiptFilter): AsyncGenerator<ExportRow[]> {
  let last: ListedReceipt | undefined
  do {
    const page = last ? { after: receiptCursor(last) } : {}
    const rows = await readReceipts(viewer, 'receipts.export', filter, { page, limit: CHUNK })
    if (rows.length > 0) yield rows.map(toRow)
    last = rows.length === CHUNK ? rows.at(-1) : undefined
  } while (last)
}

/**
 * A file of all receipts of a filter, the latest first, read chunk by chunk: between two, no connection is held. Those
 * that are issued meanwhile are not among them. The audit log says who took it.
 *
 * @param name of the file, without its ending
 * @throws ForbiddenError before anything is read, for a Brand that is not the viewer's
 */
export async function exportReceipts(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  filter: ReceiptFilter,
  { format, name }: { format: ExportFormat; name: string },
): Promise<Response> {
  const asked = { permission: 'receipts.export', brand: filter.brand, filter: { ...filter, format } } as const
  await noteExport(viewer, actor, 'receipts', asked)
  const batches = readChunks(viewer, filter)
  return buildExportResponse({ format, name, columns: columns[format], batches })
}
