import type { Brand } from '#lib/brands/brand.ts'
import { approveAuthorization } from '#lib/delegation/decide.ts'
import { findOpenAuthorization, startDeviceAuthorization } from '#lib/delegation/device-authorization.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { pool } from '#lib/platform/database.ts'

/** What a consent page would store of these scopes. */
export function shownScopes(scopes: readonly string[]) {
  return { language: 'en', scopes: scopes.map((id) => ({ id, description: `May do ${id}` })) }
}

/** Decides in place of the User: approves the authorization of a user code. */
export async function approve(
  brandId: string,
  userCode: string,
  choice: { brandUserId?: string; scopes: readonly string[]; shown?: readonly string[] },
) {
  const { brandUserId = 'jane-4471', scopes, shown = scopes } = choice
  const open = await findOpenAuthorization(brandId, userCode)
  if (!open) throw new Error('no such user code')
  const approved = await approveAuthorization({
    brandId,
    authorizationId: open.id,
    brandUserId,
    scopes,
    shown: shownScopes(shown),
  })
  if (!approved.ok) throw new Error(approved.reason)
  return approved.grantId
}

/** A device code that the User has approved. */
export async function approvedCode(
  brand: Brand,
  caller: Caller,
  scopes: readonly string[],
  choice: { brandUserId?: string; shown?: readonly string[] } = {},
): Promise<{ deviceCode: string; grantId: string }> {
  const { deviceCode, userCode } = await startDeviceAuthorization({ brand, caller, scopes })
  const grantId = await approve(brand.id, userCode, { scopes, ...choice })
  return { deviceCode, grantId }
}

/** Lets time pass for what is stored: every time of these tables moves into the past. */
export async function letTimePass(seconds: number): Promise<void> {
  const times: [string, string[]][] = [
    ['DeviceAuthorization', ['createdAt', 'expiresAt', 'polledAt', 'decidedAt']],
    ['Grant', ['createdAt', 'expiresAt', 'notBefore', 'revokedAt']],
    ['RefreshToken', ['issuedAt', 'expiresAt', 'usedAt']],
    ['UserSession', ['createdAt', 'loggedInAt', 'expiresAt']],
    ['UsedAssertion', ['expiresAt']],
  ]
  for (const [table, columns] of times) {
    const moved = columns.map((column) => `"${column}" = "${column}" - $1 * interval '1 second'`)
    await pool().query(`UPDATE "${table}" SET ${moved.join(', ')}`, [seconds])
  }
}
