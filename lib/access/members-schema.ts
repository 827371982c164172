import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'

/** The address of the list of members: nonsense falls back to what is usual. */
export const memberQuerySchema = z.object({
  brand: brandIdSchema.optional().catch(undefined),
  search: z.string().trim().max(200).refine(isStorable).optional().catch(undefined),
  role: z.enum(['admin', 'auditor', 'manager', 'viewer']).optional().catch(undefined),
  state: z.enum(['active', 'disabled']).optional().catch(undefined),
  before: z.string().max(320).refine(isStorable).optional().catch(undefined),
  after: z.string().max(320).refine(isStorable).optional().catch(undefined),
})

export type MemberQuery = z.infer<typeof memberQuerySchema>
