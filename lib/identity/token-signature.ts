import { compactVerify } from 'jose'
import type { DecodedToken } from './token-format.ts'
import { noteVerified, wasVerifiedBy } from './verified-tokens.ts'

/**
 * Verifies a compact JWS's signature (RFC 7515 §5.2), the costliest step of a request: for the very same token and key it
 * is done once, for ordinary ones. Neither claims nor their times are checked, nor whether the key may still be used.
 *
 * @param decoded what the token says
 */
export async function isSignedBy(token: string, key: CryptoKey, decoded: DecodedToken): Promise<boolean> {
  if (wasVerifiedBy(token, key)) return true
  try {
    await compactVerify(token, key)
  } catch {
    return false
  }
  noteVerified(token, key, decoded)
  return true
}
