import { FlattenedSign } from 'jose'
import type { tokenTypes } from '#lib/identity/token-types.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { now } from '#lib/platform/clock.ts'

/** The header that carries a call's signature. */
export const SIGNATURE_HEADER = 'pact-signature'

/** How long after it was sent a call may arrive, in seconds. */
const LIFETIME = 60

/** What a call is: a bot that knows the first alone refuses the second. */
export type CallType = (typeof tokenTypes)['webhook' | 'rehearsal']

/**
 * Signs a call of a Brand's bot with the Brand's active key: a JWS over the body as it is sent, from which it is detached
 * (RFC 7797). Its header says for which URL the call is and until when, so that it proves nothing elsewhere or later, and
 * its `jti` which call it is.
 *
 * @param call.typ whether a User stands behind the call, or somebody tries the bot
 * @returns `{header}..{signature}`
 * @throws MasterKeyError, SealError when the Brand's key can't be opened here
 */
export async function signCall(
  brandId: string,
  { typ, url, id, body }: { typ: CallType; url: string; id: string; body: string },
): Promise<string> {
  const { kid, alg, privateKey } = await getSigner(brandId)
  const iat = Math.floor(now() / 1000)
  const { protected: header, signature } = await new FlattenedSign(new TextEncoder().encode(body))
    .setProtectedHeader({
      alg,
      kid,
      typ,
      b64: false,
      crit: ['b64'],
      url,
      iat,
      exp: iat + LIFETIME,
      jti: id,
    })
    .sign(privateKey)
  return `${header}..${signature}`
}
