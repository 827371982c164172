import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'

const words = z.string().trim().min(1).max(400).refine(isStorable)
const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`))

/** How the list of receipts is filtered, as its address says it. What makes no sense there counts as not said. */
export const receiptFilterSchema = z.object({
  brand: brandIdSchema.optional().catch(undefined),
  /** The personal agent: a part of its name or issuer, or its id. */
  agent: words.optional().catch(undefined),
  /** The User's id at the Brand. */
  user: words.optional().catch(undefined),
  /** A scope that was used. */
  scope: words.optional().catch(undefined),
  /** A tool that was called. */
  tool: words.optional().catch(undefined),
  grant: words.optional().catch(undefined),
  /** The first and the last day (UTC) on which they were issued. */
  from: day.optional().catch(undefined),
  until: day.optional().catch(undefined),
})

export type ReceiptFilter = z.infer<typeof receiptFilterSchema>
