import { z } from 'zod'

/** A problem (RFC 9457) as the document shows it. */
export const problemSchema = z.looseObject({
  type: z.string().meta({ description: 'An address that says what to do about it.' }),
  title: z.string(),
  status: z.number(),
  errors: z
    .array(z.object({ path: z.string(), reason: z.string() }))
    .optional()
    .meta({
      description: 'Of a request or content that is not valid: each place, and what is wrong with it.',
    }),
})
