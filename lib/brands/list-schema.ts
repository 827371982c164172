import { z } from 'zod'
import { isStorable } from '#lib/platform/text.ts'
import { brandIdSchema } from './schema.ts'

/** How the list of Brands is filtered, ordered and paged, as its address says it. What makes no sense there counts as not said. */
export const brandListSchema = z.object({
  /** A part of the name or the domain, or the beginning of the id. */
  q: z.string().trim().min(1).max(200).refine(isStorable).optional().catch(undefined),
  /** Left out: those that are not put away. */
  state: z.enum(['enabled', 'disabled', 'archived']).optional().catch(undefined),
  /** A minus: the other way round. */
  sort: z.enum(['name', '-name', 'created', '-created']).default('name').catch('name'),
  /** Only this Brand. */
  brand: brandIdSchema.optional().catch(undefined),
  /** The Brand beside which the page lies. */
  before: brandIdSchema.optional().catch(undefined),
  after: brandIdSchema.optional().catch(undefined),
})

export type BrandListQuery = z.infer<typeof brandListSchema>
