import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { exportFormats } from '#lib/platform/streamed-export.ts'
import { isStorable } from '#lib/platform/text.ts'

const words = z.string().trim().min(1).max(400).refine(isStorable)
const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`))

/** How the audit log is filtered, as its address says it. What makes no sense there counts as not said. */
export const auditFilterSchema = z.object({
  brand: brandIdSchema.optional().catch(undefined),
  /** Who did it: the whole e-mail address; of a token, its name with its owner's address. */
  actor: words.optional().catch(undefined),
  /** Such as `brand.update`. */
  action: words.optional().catch(undefined),
  /** The first and the last day (UTC). */
  from: day.optional().catch(undefined),
  until: day.optional().catch(undefined),
})

export type AuditFilter = z.infer<typeof auditFilterSchema>

/** The number of an event, as an address has it. */
export const auditIdSchema = z
  .string()
  .regex(/^[1-9]\d{0,17}$/)
  .transform(BigInt)

/** Which page of the log an address asks for. */
export const auditPageSchema = z.object({
  before: auditIdSchema.optional().catch(undefined),
  after: auditIdSchema.optional().catch(undefined),
})

export type AuditPageRequest = z.infer<typeof auditPageSchema>

export const exportFormatSchema = z.enum(exportFormats).catch('csv')
