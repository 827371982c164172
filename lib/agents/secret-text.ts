import { z } from 'zod'

/** A secret as it is written: what a header can carry. It is never shown again, and not exported. */
export const secretText = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters')
