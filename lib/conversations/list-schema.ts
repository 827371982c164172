import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'

const words = z.string().trim().min(1).max(400).refine(isStorable)
const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`))

/** How the list of conversations is filtered, as its address says it. What makes no sense there counts as not said. */
export const conversationFilterSchema = z.object({
  brand: brandIdSchema.optional().catch(undefined),
  /** The personal agent: a part of its name or issuer, or its id. */
  agent: words.optional().catch(undefined),
  /** The personal agent's `sub`, or the User's id at the Brand. */
  user: words.optional().catch(undefined),
  state: z.enum(['open', 'closed']).optional().catch(undefined),
  /** The first and the last day (UTC) on which they began. */
  from: day.optional().catch(undefined),
  until: day.optional().catch(undefined),
})

export type ConversationFilter = z.infer<typeof conversationFilterSchema>
