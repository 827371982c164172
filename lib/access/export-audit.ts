import { buildExportResponse, type ExportFormat, type ExportRow } from '#lib/platform/streamed-export.ts'
import type { Actor } from './audit.ts'
import type { AuditFilter } from './audit-list-schema.ts'
import { type AuditEvent, readAuditInBatches } from './list-audit.ts'
import { noteExport } from './note-export.ts'
import type { Viewer } from './permissions.ts'

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

/**
 * The audit log as a filter leaves it, as a file; the log itself says who took it.
 *
 * @throws ForbiddenError before anything is read, for a Brand that is not the viewer's
 */
export async function exportAudit(
  { viewer, actor }: { viewer: Viewer; actor: Actor },
  filter: AuditFilter,
  format: ExportFormat,
): Promise<Response> {
  // Once bytes have been sent, it is too late to say that there is nothing here.
  const asked = { permission: 'audit.read', brand: filter.brand, filter: { ...filter, format } } as const
  await noteExport(viewer, actor, 'audit', asked)
  return buildExportResponse({
    format,
    name: 'audit-log',
    columns,
    batches: inRows(readAuditInBatches(viewer, filter)),
  })
}
