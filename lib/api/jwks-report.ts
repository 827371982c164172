import { z } from 'zod'
import { time } from './answer-parts.ts'
import { named } from './named-schemas.ts'

const key = z.object({
  kid: z.string().optional(),
  type: z.string(),
  alg: z.string().optional(),
  use: z.string().optional(),
  bits: z.number().optional(),
  thumbprint: z.string().optional(),
  issuedAt: time.optional(),
  fault: z.string().optional(),
  warnings: z.array(z.string()),
})
const asked = { at: time, milliseconds: z.number() }

/** What a fetch of somebody else's JWKS found. */
export const jwksReport = named(
  'JwksReport',
  z.union([
    z.object({ ...asked, ok: z.literal(true), keys: z.array(key) }),
    z.object({
      ...asked,
      ok: z.literal(false),
      fault: z.string(),
      detail: z.string(),
      status: z.number().optional(),
    }),
  ]),
)
