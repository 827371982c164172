import { z } from 'zod'

/** A secret as it is written: what a header can carry. It is never shown again, and not exported. */
export const secretText = z
  .string()
  .min(1)
  .max(4_096)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be visible ASCII characters')

/** What is shorter is found everywhere, and taking it out would garble what has nothing to do with it. */
const MIN_LENGTH = 8

function withoutText(value: unknown, text: string): unknown {
  if (typeof value === 'string') return value.replaceAll(text, '')
  if (Array.isArray(value)) return value.map((entry) => withoutText(entry, text))
  if (typeof value !== 'object' || value === null) return String(value).includes(text) ? null : value
  const entries = Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, entry]) => [name.replaceAll(text, ''), withoutText(entry, text)]),
  )
}

/**
 * JSON without a secret, wherever it stands in it; one of less than eight characters is left.
 *
 * @returns undefined where it is nested too deeply to be looked through
 */
export function withoutSecret(value: unknown, secret: string): unknown {
  if (secret.length < MIN_LENGTH) return value
  try {
    const written = JSON.stringify(secret).slice(1, -1)
    return JSON.stringify(value)?.includes(written) ? withoutText(value, secret) : value
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}
