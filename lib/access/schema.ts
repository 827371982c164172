import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'

const brandRole = z.strictObject({ brand: brandIdSchema, role: z.enum(['manager', 'viewer']) })
const providerRole = z.strictObject({ provider: z.enum(['admin', 'auditor']) })

/** Someone who may use the console, and as what. */
export const consoleUserSchema = z.strictObject({
  email: z.email().max(320).toLowerCase(),
  roles: z
    .array(z.union([brandRole, providerRole]))
    .min(1)
    .max(1_000),
})

export type ConsoleUserSettings = z.infer<typeof consoleUserSchema>
