import type { Receipt } from '#lib/delegation/receipts.ts'

/** §5.6: the member of a reply's `metadata` that holds its receipt; empty where there is none. */
export function receiptMetadata(receipt: Receipt | undefined): { 'pact.receipt'?: Receipt } {
  return receipt ? { 'pact.receipt': { jws: receipt.jws, claims: receipt.claims } } : {}
}
