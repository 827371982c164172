import { hash } from 'node:crypto'
import { compactVerify } from 'jose'
import { LRUCache } from 'lru-cache'
import { processState } from '#lib/platform/process-state.ts'

/** Tokens whose verification is remembered. A personal agent sends several messages with one, of either kind. */
const ENTRIES = 10_000

/**
 * Which key has verified which token, by the token's SHA-256. The key is compared by identity: one that is no longer in
 * its key set, or was fetched again, finds nothing here.
 */
function verified(): LRUCache<string, CryptoKey> {
  return processState('verified-tokens', () => new LRUCache<string, CryptoKey>({ max: ENTRIES }))
}

/**
 * Verifies a compact JWS's signature (RFC 7515 §5.2), the costliest step of a request: for the very same token and key it
 * is done once. Neither claims nor their times are checked, nor whether the key may still be used.
 */
export async function isSignedBy(token: string, key: CryptoKey): Promise<boolean> {
  const digest = hash('sha256', token, 'base64url')
  if (verified().get(digest) === key) return true
  try {
    await compactVerify(token, key)
  } catch {
    return false
  }
  verified().set(digest, key)
  return true
}
