import { randomBytes } from 'node:crypto'
import { now } from '#lib/platform/clock.ts'

/** Crockford's base 32. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function toDigits(value: bigint, length: number): string {
  const digit = (place: number) => DIGITS.charAt(Number((value >> BigInt(5 * (length - 1 - place))) & 31n))
  return Array.from({ length }, (_, place) => digit(place)).join('')
}

/** A new ULID: 48 bits of time, 80 of chance, in 26 digits. */
export function newBrandId(): string {
  const chance = BigInt(`0x${randomBytes(10).toString('hex')}`)
  return toDigits(BigInt(now()), 10) + toDigits(chance, 16)
}
