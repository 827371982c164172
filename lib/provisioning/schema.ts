import { z } from 'zod'
import { consoleUserSchema } from '#lib/access/schema.ts'
import { brandSchema } from '#lib/brands/schema.ts'
import { personalAgentSchema, providerSchema } from '#lib/identity/schema.ts'

/**
 * The provision file. A part left out stays as it is stored.
 *
 * @param options.allowLoopback whether URLs may point to this machine
 */
export function provisionSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    provider: providerSchema.optional(),
    personalAgents: z.array(personalAgentSchema(options)).max(10_000).default([]),
    brands: z.array(brandSchema(options)).max(5_000).default([]),
    console: z
      .strictObject({ users: z.array(consoleUserSchema).max(10_000).default([]) })
      .default({ users: [] }),
  })
}

export type Provision = z.infer<ReturnType<typeof provisionSchema>>
