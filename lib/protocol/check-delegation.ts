import type { Brand } from '#lib/brands/brand.ts'
import type { Delegation } from '#lib/conversations/conversation.ts'
import { buildClaims, signReceipt } from '#lib/delegation/sign-receipt.ts'
import { watchToken } from '#lib/delegation/watch-token.ts'
import { readBearerToken } from '#lib/identity/bearer.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { getSigner } from '#lib/keys/signer.ts'

/** §5.5: where the delegation token stands, beside the personal-agent JWT in `Authorization`. */
export const DELEGATION_HEADER = 'X-A2A-User-Delegation'

export type CheckedDelegation =
  /** Undefined: there is no such header, and the turn runs under §3. */
  { ok: true; delegation: Delegation | undefined } | { ok: false }

const refused: CheckedDelegation = { ok: false }

/**
 * Checks a request's delegation token (§5.5), once the personal-agent JWT is valid: form, signature, claims, and that the
 * grant is live and belongs to this caller. An empty, malformed or repeated header is a bad token, and so is any token for
 * a Brand without delegation.
 *
 * @returns ok false for the §5.5 401, which never says why; it rejects only when the database fails, or the Brand can't sign
 */
export async function checkDelegation(
  request: Request,
  caller: Caller,
  brand: Brand,
): Promise<CheckedDelegation> {
  const header = request.headers.get(DELEGATION_HEADER)
  if (header === null) return { ok: true, delegation: undefined }
  const bearer = readBearerToken(header)
  if (!bearer.ok || !brand.delegation) return refused
  const { token } = bearer
  const watched = await watchToken(token, caller, brand.id)
  if (!watched) return refused
  // A turn for which no receipt could be signed must not act (§5.6).
  await getSigner(brand.id)
  const { scopes, scopesNow } = watched
  const { brandUserId, grantId } = watched.facts
  const { issuer } = caller.personalAgent
  const facts = { brandId: brand.id, grantId, brandUserId, personalAgentIssuer: issuer }
  return {
    ok: true,
    delegation: {
      grantId,
      access: { brandUserId, scopes, token, scopesNow },
      buildClaims: (done) => buildClaims({ ...facts, ...done }),
      signReceipt: (claims) => signReceipt(brand.id, claims),
    },
  }
}
