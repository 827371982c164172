import { auditFilterSchema, exportFormatSchema } from '#lib/access/audit-list-schema.ts'
import { type AuditEvent, readAuditInBatches } from '#lib/access/list-audit.ts'
import { noteExport } from '#lib/access/note-export.ts'
import { buildExportResponse, type ExportRow } from '#lib/platform/streamed-export.ts'
import { actorOf, orNotFound, requirePermission } from '../../../viewer.ts'

export const dynamic = 'force-dynamic'

const columns = [
  'id',
  'at',
  'actorKind',
  'actorId',
  'actor',
  'address',
  'action',
  'subject',
  'brandId',
  'brandName',
  'before',
  'after',
  'previousHash',
  'hash',
]

function toRow({ id, previousHash, hash, ...event }: AuditEvent): ExportRow {
  return { ...event, id: String(id), previousHash: previousHash.toString('hex'), hash: hash.toString('hex') }
}

async function* inRows(batches: AsyncIterable<AuditEvent[]>) {
  for await (const events of batches) yield events.map(toRow)
}

/** The audit log as its list is filtered, as a file. */
export async function GET(request: Request): Promise<Response> {
  const viewer = await requirePermission('audit.read')
  const params = Object.fromEntries(new URL(request.url).searchParams)
  const filter = auditFilterSchema.parse(params)
  const format = exportFormatSchema.parse(params.format)
  // Once bytes have been sent, it is too late to say that there is nothing here.
  const asked = { permission: 'audit.read', brand: filter.brand, filter: { ...filter, format } } as const
  await orNotFound(noteExport(viewer, await actorOf(viewer), 'audit', asked))
  const batches = inRows(readAuditInBatches(viewer, filter))
  return buildExportResponse({
    format,
    name: 'audit-log',
    columns,
    batches,
  })
}
