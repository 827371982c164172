import { buildExportResponse, type ExportFormat, type ExportRow } from '#lib/platform/streamed-export.ts'
import type { AuditFilter } from './audit-list-schema.ts'
import { type AuditEvent, readAuditInBatches } from './list-audit.ts'
import { brandFilter, type Viewer } from './permissions.ts'

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
 * The audit log as a filter leaves it, as a file.
 *
 * @throws ForbiddenError before anything is read, for a Brand that is not the viewer's
 */
export function exportAudit(viewer: Viewer, filter: AuditFilter, format: ExportFormat): Response {
  // Once bytes have been sent, it is too late to say that there is nothing here.
  brandFilter(viewer, 'audit.read', filter.brand)
  return buildExportResponse({
    format,
    name: 'audit-log',
    columns,
    batches: inRows(readAuditInBatches(viewer, filter)),
  })
}
