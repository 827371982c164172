import { z } from 'zod'
import { displayText } from '#lib/platform/text.ts'
import { serviceUrl } from '#lib/platform/urls.ts'

/** A token bucket: `requests` at once, refilled at `requests` in `perSeconds`. */
export const bucketSchema = z.strictObject({
  requests: z.number().int().min(1).max(1_000_000),
  perSeconds: z.number().min(0.1).max(86_400),
})

/** §6: when a personal agent, or one User of it, is answered 429. */
export const limitsSchema = z.strictObject({ perPersonalAgent: bucketSchema, perUser: bucketSchema })

/** One personal agent's own limits, where they differ from the Provider's. */
export const limitOverridesSchema = limitsSchema.partial()

export type Bucket = z.infer<typeof bucketSchema>
export type Limits = z.infer<typeof limitsSchema>
export type LimitOverrides = z.infer<typeof limitOverridesSchema>

export const defaultLimits: Limits = {
  perPersonalAgent: { requests: 200, perSeconds: 1 },
  perUser: { requests: 20, perSeconds: 1 },
}

/** The Provider's own settings (§3.1). The last two, left out, keep what is stored. */
export const providerSchema = z.strictObject({
  organization: displayText({ max: 200 }),
  /** `aud` of every personal-agent JWT, compared as it is. */
  audience: z.string().min(1).max(512).regex(/^\S+$/, 'must not contain white space'),
  trust: z.enum(['allowlist', 'open']).default('allowlist'),
  limits: limitsSchema.default(defaultLimits),
  /** Whether console admins must have a second factor. */
  adminsNeedSecondFactor: z.boolean().optional(),
  /** After so many days the text of messages is deleted, at Brands that do not say it themselves; null: it is kept. */
  retentionDays: z.int().min(1).max(36_500).nullable().optional(),
})

/**
 * A personal agent as the file has it (§3.1). `enabled` left out keeps what is stored; a new one is enabled. It is
 * registered, unless `origin` says that it became known by itself.
 */
export function personalAgentSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    name: displayText({ max: 200 }),
    issuer: serviceUrl(options),
    jwksUri: serviceUrl(options),
    enabled: z.boolean().optional(),
    limits: limitOverridesSchema.optional(),
    origin: z.enum(['registered', 'discovered']).optional(),
  })
}

export type ProviderSettings = z.infer<typeof providerSchema>
export type PersonalAgentSettings = z.infer<ReturnType<typeof personalAgentSchema>>
