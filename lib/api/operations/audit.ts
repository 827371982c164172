import { z } from 'zod'
import { auditFilterSchema, auditIdSchema } from '#lib/access/audit-list-schema.ts'
import { chainPlaceSchema, checkAuditPart } from '#lib/access/check-audit-part.ts'
import { exportAudit } from '#lib/access/export-audit.ts'
import { type AuditEvent, getAuditEvent, listAudit } from '#lib/access/list-audit.ts'
import { exportFormats } from '#lib/platform/streamed-export.ts'
import { anyJson, time } from '../answer-parts.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { fileOperation, type Operation, operation } from '../operation.ts'

const event = named(
  'AuditEvent',
  z.object({
    id: z.string(),
    at: time,
    actorKind: z.string(),
    actorId: z.string().nullable(),
    actor: z.string(),
    address: z.string().nullable(),
    action: z.string(),
    subject: z.string(),
    brandId: z.string().nullable(),
    brandName: z.string().nullable(),
    before: anyJson,
    after: anyJson,
    previousHash: z.string(),
    hash: z.string(),
  }),
)

const toAnswer = ({ id, previousHash, hash, ...rest }: AuditEvent) => ({
  ...rest,
  id: String(id),
  previousHash: previousHash.toString('hex'),
  hash: hash.toString('hex'),
})

const place = z.object({ id: z.string(), hash: z.string() })
const part = named(
  'AuditCheck',
  z.discriminatedUnion('state', [
    z.object({ state: z.literal(['more', 'holds']), place, all: z.number() }),
    z.object({ state: z.literal('broken'), id: z.string(), because: z.string() }),
  ]),
)

const filter = strictFilter(auditFilterSchema).shape
const of = { tag: 'Audit log', at: 'anywhere', permission: 'audit.read' } as const

export function auditOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listAuditEvents',
      method: 'GET',
      path: '/audit',
      summary: 'Events of the audit log, the latest first',
      query: z.object({ ...filter, ...rowPage(auditIdSchema) }),
      answer: named('AuditPage', pageOf(event)),
      async run({ query: { cursor, limit, ...query }, caller }) {
        const page = await listAudit(caller.viewer, query, { after: cursor, limit })
        return rowPageReply(page.rows.map(toAnswer), page.after)
      },
    }),
    fileOperation({
      ...of,
      id: 'exportAudit',
      method: 'GET',
      path: '/audit/export',
      summary: 'All events of a filter as a file',
      description: 'Streamed, any size. A connection that breaks says that it is not the whole.',
      query: z.object({ ...filter, format: z.enum(exportFormats).default('jsonl') }),
      files: ['application/jsonl', 'text/csv'],
      run: ({ query: { format, ...query }, caller }) => exportAudit(caller, query, format),
    }),
    operation({
      ...of,
      id: 'verifyAudit',
      method: 'POST',
      path: '/audit/verify',
      at: 'provider',
      summary: 'Checks a part of the audit log’s chain',
      description: 'While `state` is `more`, send `place` again to go on.',
      body: named('AuditCheckStart', z.strictObject({ place: chainPlaceSchema.optional() })),
      answer: part,
      harmless: true,
      run: async ({ body, caller }) => ({ body: await checkAuditPart(caller.viewer, body.place) }),
    }),
    operation({
      ...of,
      id: 'getAuditEvent',
      method: 'GET',
      path: '/audit/{eventId}',
      summary: 'An event of the audit log',
      params: z.object({ eventId: auditIdSchema }),
      answer: event,
      run: async ({ params: { eventId }, caller }) => ({
        body: toAnswer(await getAuditEvent(caller.viewer, eventId)),
      }),
    }),
  ]
}
