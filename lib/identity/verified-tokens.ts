import { expiringCache } from '#lib/platform/expiring-cache.ts'
import { type DecodedToken, decodeToken } from './token-format.ts'

/** Tokens that are remembered. A personal agent sends several messages with one, of either kind. */
const ENTRIES = 5_000
/** How long one is remembered: as long as a personal-agent JWT lives (§3.2); in milliseconds. */
const KEPT_FOR = 300_000
/** A longer one is verified each time, in characters; and so is one that says more than these many things, or lists. */
const MOST_CHARACTERS = 2_048
const MOST_MEMBERS = 32

/** A token whose signature has been verified, by whichever key. */
type Verified = { key: CryptoKey; decoded: DecodedToken }

function verified() {
  return expiringCache<Verified>('verified-tokens', {
    max: ENTRIES,
    maxSize: ENTRIES * MOST_CHARACTERS,
    sizeOf: (_, token) => token.length,
    ttl: KEPT_FOR,
  })
}

/** Little enough to keep many of them: what a token's text says in few characters can take much memory once it is read. */
function isSmall(part: DecodedToken['claims']): boolean {
  const values = Object.values(part)
  return values.length <= MOST_MEMBERS && values.every((value) => typeof value !== 'object' || value === null)
}

/**
 * Decodes a token's header and claims like {@link decodeToken}, without doing so again for one that is remembered. That says
 * nothing of whether it counts: nothing in them is verified here.
 */
export function decodeKnownToken(token: string): DecodedToken | undefined {
  return verified().get(token)?.decoded ?? decodeToken(token)
}

/**
 * Whether this key has verified the very same token before. The key is compared by identity: one that is no longer in its
 * key set, or was fetched again, has verified nothing.
 */
export function wasVerifiedBy(token: string, key: CryptoKey): boolean {
  return verified().get(token)?.key === key
}

/** Remembers that this key has verified the token. @param decoded what it says */
export function noteVerified(token: string, key: CryptoKey, decoded: DecodedToken): void {
  if (token.length > MOST_CHARACTERS || !isSmall(decoded.header) || !isSmall(decoded.claims)) return
  verified().set(token, { key, decoded })
}
