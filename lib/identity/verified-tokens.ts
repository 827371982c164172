import { LRUCache } from 'lru-cache'
import { processState } from '#lib/platform/process-state.ts'
import { type DecodedToken, decodeToken } from './token-format.ts'

/** Tokens that are remembered. A personal agent sends several messages with one, of either kind. */
const ENTRIES = 10_000
/** The length of all of them, in characters. */
const MOST_CHARACTERS = 16_000_000

/** A token whose signature has been verified, by whichever key. */
type Verified = { key: CryptoKey; decoded: DecodedToken }

function verified(): LRUCache<string, Verified> {
  return processState(
    'verified-tokens',
    () =>
      new LRUCache<string, Verified>({
        max: ENTRIES,
        maxSize: MOST_CHARACTERS,
        sizeCalculation: (_, token) => token.length,
      }),
  )
}

/**
 * Decodes a token's header and claims like {@link decodeToken}, without doing so again for one that has been verified. That
 * says nothing of whether it counts: nothing in them is verified here.
 */
export function decodeTokenOnce(token: string): DecodedToken | undefined {
  return verified().get(token)?.decoded ?? decodeToken(token)
}

/**
 * Whether this key has verified the very same token before. The key is compared by identity: one that is no longer in its
 * key set, or was fetched again, has verified nothing.
 */
export function wasVerifiedBy(token: string, key: CryptoKey): boolean {
  return verified().get(token)?.key === key
}

/** Remembers that this key has verified the token. */
export function noteVerified(token: string, key: CryptoKey): void {
  const decoded = decodeTokenOnce(token)
  if (decoded) verified().set(token, { key, decoded })
}
