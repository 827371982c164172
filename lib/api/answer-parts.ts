import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { named } from './named-schemas.ts'

/** A moment: a Date here, RFC 3339 in JSON. */
export const time = z.date()

export const brandParams = z.object({ brandId: brandIdSchema })

/** A Brand as other things name it. */
export const brandRef = named('BrandRef', z.object({ id: z.string(), name: z.string() }))

/** A personal agent as other things name it. */
export const personalAgentRef = named(
  'PersonalAgentRef',
  z.object({ id: z.string(), name: z.string(), issuer: z.string() }),
)

/** One word for whether something happened: `false` when it had before. */
export const changed = named('Changed', z.object({ changed: z.boolean() }))

/** JSON that is passed on as it is. */
export const anyJson = z.custom<unknown>(() => true)

/** UUIDs as the database's ids are. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
