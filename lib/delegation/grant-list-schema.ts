import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'

const words = z.string().trim().min(1).max(400).refine(isStorable)

/** What may be asked of a grant's state. `expired`: its time is over; `revoked`: somebody ended it before. */
export const grantStates = ['live', 'expired', 'revoked'] as const
export type GrantState = (typeof grantStates)[number]

/** How the list of grants is filtered, as its address says it. What makes no sense there counts as not said. */
export const grantFilterSchema = z.object({
  brand: brandIdSchema.optional().catch(undefined),
  /** The personal agent: a part of its name or issuer, or its id. */
  agent: words.optional().catch(undefined),
  /** The personal agent's `sub`, or the User's id at the Brand. */
  user: words.optional().catch(undefined),
  scope: words.optional().catch(undefined),
  state: z.enum(grantStates).optional().catch(undefined),
})

export type GrantFilter = z.infer<typeof grantFilterSchema>

/** The same filter where something is done to all that match: nonsense is refused, lest it mean everything. */
export const matchingGrantsSchema = z.strictObject({
  brand: brandIdSchema.optional(),
  agent: words.optional(),
  user: words.optional(),
  scope: words.optional(),
  /** Those that were given later stay. ISO 8601. */
  countedAt: z.iso.datetime().transform((text) => new Date(text)),
})

export type MatchingGrants = z.infer<typeof matchingGrantsSchema>

/** The same for the next batch of them, after the last grant of the batch before. */
export const nextMatchingSchema = matchingGrantsSchema.extend({ after: words.optional() })
