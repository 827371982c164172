import { z } from 'zod'
import { agentWithToolsSchema } from '#lib/agents/schema.ts'
import { displayText } from '#lib/platform/text.ts'
import { findUrlFault, serviceUrl } from '#lib/platform/urls.ts'

/** A ULID, upper case: 26 characters of Crockford's base 32, at most 128 bits. */
export const brandIdSchema = z.string().regex(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/, 'must be a ULID in upper case')

/** RFC 6749 §3.3: a scope token. */
const scopeId = z
  .string()
  .max(200)
  .regex(
    /^[\x21\x23-\x5B\x5D-\x7E]+$/,
    'must be a scope token (RFC 6749 §3.3): visible ASCII without " and \\',
  )

const domainSchema = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a domain name, such as example.com',
  )

export const skillSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z0-9._-]{1,100}$/, 'must be letters, digits, ".", "_" or "-"'),
  name: displayText({ max: 200 }),
  description: displayText({ max: 2_000, lines: true }),
  tags: z
    .array(displayText({ max: 100 }))
    .max(50)
    .default([]),
  examples: z
    .array(displayText({ max: 500 }))
    .max(50)
    .default([]),
})

/**
 * The most that a Brand's scope ids may have together, in characters, each with a space: a token that has them all must
 * still fit into a header of 8 KiB, beside the longest issuer and the longest id of a User.
 */
export const MAX_SCOPE_IDS = 2_000

/** §5.2: shown to the User verbatim. */
export const scopeSchema = z.strictObject({ id: scopeId, description: displayText({ max: 500 }) })

/** What is stored of a Brand's delegation settings, beside its scopes (§5). */
export function loginSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    url: serviceUrl(options),
    issuer: serviceUrl(options),
    jwksUri: serviceUrl(options),
    afterConsentUrl: serviceUrl(options).optional(),
  })
}

/** How the Brand looks on the pages that its Users see. */
export function appearanceSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #0b5c8a')
      .optional(),
    logoUrl: serviceUrl(options).optional(),
  })
}

export function delegationSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    login: loginSchema(options),
    appearance: appearanceSchema(options).optional(),
    grantDays: z.number().min(0.01).max(3650).default(90),
    scopes: z
      .array(scopeSchema)
      .min(1)
      .max(200)
      .refine((scopes) => scopes.reduce((sum, { id }) => sum + id.length + 1, 0) <= MAX_SCOPE_IDS, {
        message: `must have at most ${MAX_SCOPE_IDS} characters of ids in all, each with a space: a token carries them`,
      }),
  })
}

/** Console roles that may be shown messages only as masked. A Provider admin always reads them. */
export const maskedRoles = ['auditor', 'manager', 'viewer'] as const

const conversationSchema = z.strictObject({
  /** After so many hours without a message a conversation closes (§4.2). */
  idleHours: z.number().min(0.01).max(8760).default(24),
  /** After so many days the text of messages is deleted; left out: it is kept. */
  retentionDays: z.int().min(1).max(36_500).optional(),
  maskedFor: z.array(z.enum(maskedRoles)).max(maskedRoles.length).default([]),
  /** Whether the card offers `message:stream` (A2A 1.0). */
  streaming: z.boolean().default(false),
})

/** A key must be published for some minutes before it signs. */
const MIN_ROTATION_DAYS = 0.01

/** Where a Brand's tools may not reach a private network, none may name an address of one. */
function checkNetworks(
  brand: { privateNetworks: boolean; agent: { tools: { request: { url: string } }[] } },
  context: z.RefinementCtx,
): void {
  if (brand.privateNetworks) return
  for (const [index, { request }] of brand.agent.tools.entries()) {
    // Its other faults are found before.
    if (!findUrlFault(request.url, { allowLoopback: true })) continue
    const message = 'must not point to a private or reserved address'
    context.addIssue({ code: 'custom', message, path: ['agent', 'tools', index, 'request', 'url'] })
  }
}

/** A Brand as the provision file has it. `enabled` left out keeps what is stored; a new one is enabled. */
export function brandSchema(options: { allowLoopback: boolean }) {
  return z
    .strictObject({
      id: brandIdSchema,
      name: displayText({ max: 200 }),
      description: displayText({ max: 2_000, lines: true }),
      domain: domainSchema.optional(),
      enabled: z.boolean().optional(),
      skills: z.array(skillSchema).max(200).default([]),
      conversation: conversationSchema.default({ idleHours: 24, maskedFor: [], streaming: false }),
      delegation: delegationSchema(options).optional(),
      keys: z
        .strictObject({ rotateEveryDays: z.number().min(MIN_ROTATION_DAYS).max(3650).optional() })
        .default({}),
      /** Whether the agent's tools may reach private networks (RFC 1918, RFC 4193). */
      privateNetworks: z.boolean().default(false),
      agent: agentWithToolsSchema(options),
    })
    .superRefine(checkNetworks)
}

export type BrandSettings = z.infer<ReturnType<typeof brandSchema>>
export type BrandLogin = z.infer<ReturnType<typeof loginSchema>>
export type BrandAppearance = z.infer<ReturnType<typeof appearanceSchema>>
/** A Brand as a form, the file or the API gives it: with what may be left out. */
export type BrandInput = z.input<ReturnType<typeof brandSchema>>
export type SkillSettings = z.infer<typeof skillSchema>
