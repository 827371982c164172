import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { displayText } from '#lib/platform/text.ts'
import { permissions } from './permissions.ts'

/** For how many days a token may be made. */
export const tokenLifetimes = [7, 30, 90, 365] as const

/** An API token as somebody asks for it. */
export const newTokenSchema = z.strictObject({
  name: displayText({ max: 100 }),
  days: z.union(tokenLifetimes.map((days) => z.literal(days))),
  permissions: z.array(z.enum(permissions)).min(1).max(permissions.length),
  /** The one Brand that it reaches; left out: all that its owner does. */
  brandId: brandIdSchema.optional(),
})

export type NewToken = z.infer<typeof newTokenSchema>
