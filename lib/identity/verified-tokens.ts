import { hash } from 'node:crypto'
import { expiringCache } from '#lib/platform/expiring-cache.ts'
import { type DecodedToken, decodeToken } from './token-format.ts'

/** Tokens that are remembered. A personal agent sends several messages with one, of either kind. */
const ENTRIES = 10_000
/** How long one is remembered: as long as a personal-agent JWT lives (§3.2); in milliseconds. */
const KEPT_FOR = 300_000
/** A longer one is verified each time, in characters; and so is one that says more than these many things, or lists. */
const MOST_CHARACTERS = 2_048
const MOST_MEMBERS = 32

/** A token whose signature has been verified, by whichever key. */
type Verified = { key: CryptoKey; decoded: DecodedToken; length: number }

/** A token that could be decoded. Nothing in it is verified. */
export type KnownToken = DecodedToken & {
  token: string
  /** Its SHA-256, by which it is remembered: no token stands in the memory for longer than its request. */
  digest: string
  /**
   * The key that has verified the very same token before. Keys are compared by identity: one that is no longer in its key
   * set, or was fetched again, has verified nothing.
   */
  verifiedBy: CryptoKey | undefined
}

function verified() {
  return expiringCache<Verified>('verified-tokens', {
    max: ENTRIES,
    maxSize: (ENTRIES * MOST_CHARACTERS) / 2,
    sizeOf: ({ length }) => length,
    ttl: KEPT_FOR,
  })
}

/** Little enough to keep many of them: what a token's text says in few characters can take much memory once it is read. */
function isSmall(part: DecodedToken['claims']): boolean {
  const values = Object.values(part)
  return values.length <= MOST_MEMBERS && values.every((value) => typeof value !== 'object' || value === null)
}

/** Decodes a token's header and claims like {@link decodeToken}, without doing so again for one that is remembered. */
export function readKnownToken(token: string): KnownToken | undefined {
  const digest = hash('sha256', token, 'base64url')
  const found = verified().get(digest)
  const decoded = found?.decoded ?? decodeToken(token)
  return decoded && { ...decoded, token, digest, verifiedBy: found?.key }
}

/** Remembers that this key has verified the token, where it is an ordinary one. */
export function noteVerified({ token, digest, header, claims }: KnownToken, key: CryptoKey): void {
  const { length } = token
  if (length > MOST_CHARACTERS || !isSmall(header) || !isSmall(claims)) return
  verified().set(digest, { key, decoded: { header, claims }, length })
}
