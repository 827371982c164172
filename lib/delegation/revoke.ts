import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import { verifyDelegationToken } from './delegation-token.ts'
import { revokeGrant } from './grants.ts'
import { findLiveGrant } from './live-grant.ts'
import { hashSecret } from './opaque-codes.ts'
import { grantOfToken } from './refresh.ts'

export const findRefreshTokenStatement = {
  name: 'find-grant-of-refresh-token',
  text: `
SELECT g."id" FROM "RefreshToken" r JOIN "Grant" g ON g."id" = r."grantId" AND g."id" = ${grantOfToken}
WHERE r."tokenHash" = $1 AND ${rowHas('r', { brandId: '$2' })}
  AND ${rowHas('g', { brandId: '$2', personalAgentId: '$3', subject: '$4' })}
  AND (g."notBefore" IS NULL OR g."notBefore" <= r."issuedAt") AND r."expiresAt" > now()`,
}

type Presented = { brand: Brand; caller: Caller; token: string }

async function findGrantOfRefreshToken({ brand, caller, token }: Presented): Promise<string | undefined> {
  const { rows } = await pool().query<{ id: string }>({
    ...findRefreshTokenStatement,
    values: [hashSecret(token), brand.id, caller.personalAgent.id, caller.subject],
  })
  return rows[0]?.id
}

async function findGrantOfDelegationToken({ brand, caller, token }: Presented): Promise<string | undefined> {
  const facts = await verifyDelegationToken(token, brand.id, caller.personalAgent.issuer)
  if (!facts) return undefined
  const { personalAgent, subject } = caller
  const grant = await findLiveGrant({
    brandId: brand.id,
    personalAgentId: personalAgent.id,
    subject,
    ...facts,
  })
  return grant && facts.grantId
}

/**
 * Revokes a token on its owner's behalf (RFC 7009 §2.1): either kind ends the whole grant, with all its tokens.
 * Whatever is no token of the caller's, or no longer counts, changes nothing, and nothing is told (§2.2).
 */
export async function revokeToken(presented: Presented): Promise<void> {
  const grantId = presented.token.startsWith('rt_')
    ? await findGrantOfRefreshToken(presented)
    : await findGrantOfDelegationToken(presented)
  if (grantId === undefined) return
  await revokeGrant({ brandId: presented.brand.id, grantId, by: 'personal_agent' })
}
