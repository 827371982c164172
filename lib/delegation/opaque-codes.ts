import { createHash, randomBytes, randomInt } from 'node:crypto'

/** RFC 8628 §6.1: no vowels, so that no words arise, and letters that are hard to mistake. */
const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const USER_CODE_LENGTH = 8
const USER_CODE = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`)

/** A device code (RFC 8628 §3.2): 256 random bits. */
export function newDeviceCode(): string {
  return `dc_${randomBytes(32).toString('base64url')}`
}

/** A refresh token (RFC 6749 §1.5): 256 random bits. */
export function newRefreshToken(): string {
  return `rt_${randomBytes(32).toString('base64url')}`
}

/** The opaque id of a grant (§5.4 `grant_id`): 128 random bits. */
export function newGrantId(): string {
  return `a2agrant_${randomBytes(16).toString('base64url')}`
}

/** A user code (RFC 8628 §6.1) as it is shown: `XXXX-XXXX`. */
export function newUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () => USER_CODE_LETTERS[randomInt(20)]).join('')
  return formatUserCode(letters)
}

/** A user code as it is shown, from its eight letters. */
export function formatUserCode(letters: string): string {
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** The letters of a user code that somebody typed, whatever its case, hyphens and spaces; undefined when it is none. */
export function readUserCode(typed: string): string | undefined {
  const letters = typed.replace(/[\s-]/g, '').toUpperCase()
  return USER_CODE.test(letters) ? letters : undefined
}

/** What is stored of a code or token instead of itself: SHA-256. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
