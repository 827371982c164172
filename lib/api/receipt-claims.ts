import { z } from 'zod'
import type { ReceiptClaims } from '#lib/delegation/receipts.ts'
import { receiptClaimsSchema } from '#lib/delegation/verify-receipt.ts'
import { named } from './named-schemas.ts'

/** §5.6, for the document. */
const documented = named('ReceiptClaims', receiptClaimsSchema)

/** A receipt's claims as they were signed, to the byte: not parsed. */
export const receiptClaims = z
  .custom<Partial<ReceiptClaims> | z.infer<typeof documented>>()
  .meta({ of: documented })
