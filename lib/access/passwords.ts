import { randomInt } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { z } from 'zod'
import { PASSWORD_LENGTH } from './password-length.ts'

const { min, max } = PASSWORD_LENGTH

/** A password as somebody chooses it. Length is what counts (NIST SP 800-63B §3.1.1.2): no rules on its characters. */
export const newPasswordSchema = z
  .string()
  .min(min, `must have at least ${min} characters`)
  .max(max, `must have at most ${max} characters`)

/** Argon2id, as OWASP's Password Storage Cheat Sheet asks at least: 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of a password that nobody has: an unknown account takes as long as a known one. */
let decoy: Promise<string> | undefined

/** The form in which a password is stored. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST)
}

/**
 * Whether a password is the stored one.
 *
 * @param stored left out where there is no such account, or it has none: the answer is false, after the same time
 */
export async function isPassword(password: string, stored: string | null | undefined): Promise<boolean> {
  decoy ??= hashPassword('decoy')
  const matches = await verify(stored ?? (await decoy), password).catch(() => false)
  return matches && Boolean(stored)
}

const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Random letters and digits that can't be mistaken for each other, in groups of 5 with hyphens between: 24.8 bits a group. */
export function randomGroups(count: number): string {
  const group = () => Array.from({ length: 5 }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return Array.from({ length: count }, group).join('-')
}

const MADE = new RegExp(`^[${LETTERS}]{5}(-[${LETTERS}]{5}){3}$`)

/** Whether a text has the form of what {@link makePassword} makes: nobody guesses those. */
export function isMadePassword(text: string): boolean {
  return MADE.test(text)
}

/** A password for somebody to sign in with once: about 99 bits. */
export function makePassword(): string {
  return randomGroups(4)
}
