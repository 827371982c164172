import { z } from 'zod'
import { checkHeldReceipt, LONGEST_RECEIPT } from '#lib/delegation/check-held-receipt.ts'
import { exportReceipts } from '#lib/delegation/export-receipts.ts'
import { getReceipt } from '#lib/delegation/find-receipt-detail.ts'
import { listReceipts, RECEIPT_ID } from '#lib/delegation/list-receipts.ts'
import { receiptFilterSchema } from '#lib/delegation/receipt-list-schema.ts'
import { exportFormats } from '#lib/platform/streamed-export.ts'
import { brandRef, time } from '../answer-parts.ts'
import { strictFilter, timePage, timePageReply } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { fileOperation, type Operation, operation } from '../operation.ts'
import { receiptClaims } from '../receipt-claims.ts'

const agent = z.object({ issuer: z.string(), name: z.string() })
/** Left out where the Brand hides texts from the token's owner: the hashes of arguments are in it. */
const jws = z.string().optional()
const listed = named(
  'ListedReceipt',
  z.object({
    id: z.string(),
    brand: brandRef,
    personalAgent: agent,
    conversationId: z.string(),
    messageId: z.string(),
    issuedAt: time,
    jws,
    claims: receiptClaims,
  }),
)
const receipt = named(
  'Receipt',
  z.object({
    id: z.string(),
    brand: brandRef.extend({ jwksUri: z.string() }),
    personalAgent: agent,
    subject: z.string(),
    issuedAt: time,
    jws,
    claims: receiptClaims,
    scopes: z.array(z.object({ id: z.string(), description: z.string().optional() })),
    turn: z.object({ conversationId: z.string(), messageId: z.string() }),
  }),
)
const verdict = named(
  'ReceiptVerdict',
  z.union([
    z.object({ ok: z.literal(true), brandName: z.string(), kid: z.string(), claims: receiptClaims }),
    z.object({
      ok: z.literal(false),
      because: z.string(),
      detail: z.string().optional(),
      claims: receiptClaims.optional(),
    }),
  ]),
)

const filter = strictFilter(receiptFilterSchema).shape
const of = { tag: 'Receipts', at: 'anywhere' } as const

export function receiptOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listReceipts',
      method: 'GET',
      path: '/receipts',
      summary: 'Receipts, the latest first',
      permission: 'receipts.read',
      query: z.object({ ...filter, ...timePage(RECEIPT_ID) }),
      answer: named('ReceiptPage', pageOf(listed)),
      async run({ query: { cursor, limit, ...query }, caller }) {
        const page = await listReceipts(caller.viewer, query, { after: cursor, limit })
        return timePageReply(page.rows, page.after)
      },
    }),
    fileOperation({
      ...of,
      id: 'exportReceipts',
      method: 'GET',
      path: '/receipts/export',
      summary: 'All receipts of a filter as a file',
      description: 'Streamed, any size. A connection that breaks says that it is not the whole.',
      permission: 'receipts.export',
      query: z.object({ ...filter, format: z.enum(exportFormats).default('jsonl') }),
      files: ['application/jsonl', 'text/csv'],
      run: async ({ query: { format, ...query }, caller }) =>
        exportReceipts(caller, query, { format, name: 'receipts' }),
    }),
    operation({
      ...of,
      id: 'verifyReceipt',
      method: 'POST',
      path: '/receipts/verify',
      summary: 'Verifies a receipt that somebody holds (§5.6)',
      description: 'A compact JWS, or JSON that holds one. Nothing is stored.',
      permission: 'receipts.read',
      body: named('HeldReceipt', z.strictObject({ receipt: z.string().trim().min(1).max(LONGEST_RECEIPT) })),
      answer: verdict,
      harmless: true,
      run: async ({ body }) => ({ body: await checkHeldReceipt(body.receipt) }),
    }),
    operation({
      ...of,
      id: 'getReceipt',
      method: 'GET',
      path: '/receipts/{receiptId}',
      summary: 'A receipt',
      permission: 'receipts.read',
      params: z.object({ receiptId: z.string().regex(RECEIPT_ID) }),
      answer: receipt,
      run: async ({ params: { receiptId }, caller }) => ({
        body: await getReceipt(caller.viewer, receiptId),
      }),
    }),
  ]
}
