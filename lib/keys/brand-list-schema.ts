import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'

/** How the list of Brands with their keys is narrowed and paged, as its address says it. Nonsense counts as not said. */
export const keyBrandsSchema = z.object({
  /** A part of the Brand's name. */
  q: z.string().trim().min(1).max(200).refine(isStorable).optional().catch(undefined),
  /** The Brand beside which the page lies. */
  before: brandIdSchema.optional().catch(undefined),
  after: brandIdSchema.optional().catch(undefined),
})

export type KeyBrandsQuery = z.infer<typeof keyBrandsSchema>
