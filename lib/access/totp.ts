import { hkdfSync } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'

/** RFC 6238 as every authenticator app has it: SHA-1, six digits, 30 seconds. */
const PERIOD = 30
/** One step on either side: clocks differ, and typing takes time (RFC 6238 §5.2). */
const WINDOW = 1
const SECRET_LENGTH = 20

/**
 * The secret that a set-up offers, in Base32. The same for as long as the set-up lasts, so that nothing has to be kept
 * before it is confirmed; another in every session, and after every set-up (`lastStep`).
 */
export function offeredTotpSecret(
  cookieSecret: string,
  { userId, sessionId, lastStep }: { userId: string; sessionId: string; lastStep: bigint | null },
): string {
  const info = JSON.stringify(['totp', userId, sessionId, String(lastStep)])
  const bytes = hkdfSync('sha256', cookieSecret, '', info, SECRET_LENGTH)
  return new Secret({ buffer: bytes }).base32
}

/** What an authenticator app reads from the QR code. */
export function totpUri(secret: string, { issuer, account }: { issuer: string; account: string }): string {
  // A colon would end the issuer's name in the label.
  const names = { issuer: issuer.replaceAll(':', ' '), label: account }
  return new TOTP({ ...names, secret: Secret.fromBase32(secret), period: PERIOD }).toString()
}

/**
 * The time step whose code this is.
 *
 * @param code as it was typed: blanks do not count
 * @param at milliseconds since 1970
 * @returns undefined for a wrong code. Whether the step was used before is not looked at.
 */
export function findTotpStep(secret: string, code: string, at: number): bigint | undefined {
  const token = code.replace(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const parts = { secret: Secret.fromBase32(secret), period: PERIOD, timestamp: at }
  const delta = TOTP.validate({ ...parts, token, window: WINDOW })
  return delta === null ? undefined : BigInt(TOTP.counter(parts) + delta)
}
