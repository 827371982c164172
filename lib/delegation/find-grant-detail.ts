import { ForbiddenError, may, type Viewer } from '#lib/access/permissions.ts'
import { pool } from '#lib/platform/database.ts'
import { type GrantChange, listGrantChanges } from './grant-changes.ts'
import { grantState } from './grant-conditions.ts'
import { type GrantConsent, listConsents } from './grant-consents.ts'
import type { GrantState } from './grant-list-schema.ts'
import { type GrantReceipts, listReceiptsOfGrant } from './grant-receipts.ts'
import { type IssuedTokens, listIssuedTokens } from './grant-tokens.ts'
import { findScopeUse, type ScopeUse } from './scope-use.ts'

/** A grant with all that is known of it, for the console. */
export type GrantDetail = {
  id: string
  brand: { id: string; name: string }
  personalAgent: { id: string; name: string; issuer: string }
  /** The personal agent's `sub`. */
  subject: string
  /** The User's id at the Brand. */
  brandUserId: string
  state: GrantState
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | undefined
  revokedAt: Date | undefined
  /** `user`, `personal_agent`, `console`, `expiry`. */
  revokedBy: string | undefined
  /** A used refresh token came again: tokens from before count no more. */
  notBefore: Date | undefined
  scopes: ScopeUse[]
  /** The latest first. */
  changes: GrantChange[]
  /** The latest first. */
  consents: GrantConsent[]
  tokens: IssuedTokens
  receipts: GrantReceipts
}

type Row = {
  id: string
  brandId: string
  brandName: string
  personalAgentId: string
  personalAgentName: string
  issuer: string
  subject: string
  brandUserId: string
  scopes: string[]
  state: GrantState
  createdAt: Date
  expiresAt: Date
  lastUsedAt: Date | null
  revokedAt: Date | null
  revokedBy: string | null
  notBefore: Date | null
}

const GRANT_ID = /^[\w-]{1,100}$/

export const grantStatement = {
  name: 'grant-for-console',
  text: `
SELECT g."id", g."brandId", b."name" AS "brandName", g."personalAgentId", p."name" AS "personalAgentName", p."issuer",
  g."subject", g."brandUserId", g."scopes", ${grantState} AS "state", g."createdAt", g."expiresAt", g."lastUsedAt",
  g."revokedAt", g."revokedBy", g."notBefore"
FROM "Grant" g JOIN "Brand" b ON b."id" = g."brandId" JOIN "PersonalAgent" p ON p."id" = g."personalAgentId"
WHERE g."id" = $1`,
}

/**
 * Finds a grant that a viewer may see.
 *
 * @throws ForbiddenError for another one, and in the same way for one that does not exist
 */
export async function getVisibleGrant(viewer: Viewer, id: string): Promise<Row> {
  const { rows } = GRANT_ID.test(id)
    ? await pool().query<Row>({ ...grantStatement, values: [id] })
    : { rows: [] }
  const [row] = rows
  if (!row || !may(viewer, 'grants.read', row.brandId))
    throw new ForbiddenError(`no grant of ${viewer.email}`)
  return row
}

/**
 * Gathers what is known of a grant.
 *
 * @throws ForbiddenError for one that the viewer may not see, and in the same way for one that does not exist
 */
export async function getGrantDetail(viewer: Viewer, grantId: string): Promise<GrantDetail> {
  const row = await getVisibleGrant(viewer, grantId)
  const { id, brandId } = row
  const [scopes, changes, consents, tokens, receipts] = await Promise.all([
    findScopeUse(brandId, id, row.scopes),
    listGrantChanges(brandId, id),
    listConsents(brandId, id),
    listIssuedTokens(brandId, id, row.notBefore),
    listReceiptsOfGrant(brandId, id),
  ])
  return {
    id,
    brand: { id: brandId, name: row.brandName },
    personalAgent: { id: row.personalAgentId, name: row.personalAgentName, issuer: row.issuer },
    subject: row.subject,
    brandUserId: row.brandUserId,
    state: row.state,
    createdAt: row.createdAt,
    expiresAt: row.expiresAt,
    lastUsedAt: row.lastUsedAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
    revokedBy: row.revokedBy ?? undefined,
    notBefore: row.notBefore ?? undefined,
    scopes,
    changes,
    consents,
    tokens,
    receipts,
  }
}
