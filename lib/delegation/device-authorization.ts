import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { pool } from '#lib/platform/database.ts'
import { hashSecret, newDeviceCode, newUserCode, readUserCode } from './opaque-codes.ts'
import { buildVerificationUris } from './verification-uri.ts'

/** How long the codes live, in seconds (RFC 8628 §3.2). */
const CODE_LIFETIME = 600
/** Seconds that must lie between two polls, at first. */
const POLL_INTERVAL = 5
/** Of 25 billion user codes a handful are open: a second draw is rare, a fifth does not happen. */
const DRAWS = 5

/** What a personal agent gets to show and to poll with (RFC 8628 §3.2). Times are in seconds. */
export type StartedAuthorization = {
  deviceCode: string
  userCode: string
  verificationUri: string
  verificationUriComplete: string
  expiresIn: number
  interval: number
}

/** A device authorization, as the consent page needs it. */
export type OpenAuthorization = {
  id: string
  brandId: string
  personalAgentId: string
  /** The personal agent's `sub` that asked. */
  subject: string
  requestedScopes: string[]
  state: 'pending' | 'approved' | 'denied' | 'redeemed'
  expired: boolean
}

export const startStatement = {
  name: 'start-device-authorization',
  text: `
INSERT INTO "DeviceAuthorization"
  ("id", "brandId", "personalAgentId", "subject", "deviceCodeHash", "userCodeHash", "requestedScopes", "interval",
   "grantedScopes", "expiresAt")
VALUES (gen_random_uuid(), $1, $2, $3, $4, $5, $6, $7, '{}', now() + $8 * interval '1 second')
ON CONFLICT ("brandId", "userCodeHash") DO NOTHING`,
}

export const findStatement = {
  name: 'find-device-authorization',
  text: `
SELECT "id", "brandId", "personalAgentId", "subject", "requestedScopes", "state", "expiresAt" <= now() AS "expired"
FROM "DeviceAuthorization" WHERE "brandId" = $1 AND "userCodeHash" = $2`,
}

function hashUserCode(userCode: string): Buffer | undefined {
  const letters = readUserCode(userCode)
  return letters === undefined ? undefined : hashSecret(letters)
}

async function store(
  owner: { brandId: string; personalAgentId: string; subject: string },
  codes: { deviceCode: string; userCode: string },
  scopes: readonly string[],
): Promise<boolean> {
  const { rowCount } = await pool().query({
    ...startStatement,
    values: [
      owner.brandId,
      owner.personalAgentId,
      owner.subject,
      hashSecret(codes.deviceCode),
      hashUserCode(codes.userCode),
      scopes,
      POLL_INTERVAL,
      CODE_LIFETIME,
    ],
  })
  return rowCount === 1
}

/**
 * Begins a device authorization (RFC 8628 §3.2): codes for the caller alone, and links to the Brand's own login.
 * That the scopes are the Brand's is not checked here.
 *
 * @param options.scopes ids that the caller asks for, each once, at least one
 * @throws when the Brand has no delegation
 */
export async function startDeviceAuthorization(options: {
  brand: Brand
  caller: Caller
  scopes: readonly string[]
}): Promise<StartedAuthorization> {
  const { brand, caller, scopes } = options
  if (!brand.delegation) throw new Error('the Brand has no delegation')
  const owner = { brandId: brand.id, personalAgentId: caller.personalAgent.id, subject: caller.subject }
  const deviceCode = newDeviceCode()
  for (let draw = 0; draw < DRAWS; draw++) {
    const userCode = newUserCode()
    if (!(await store(owner, { deviceCode, userCode }, scopes))) continue
    const uris = buildVerificationUris(brand.id, brand.delegation.login.url, userCode)
    return { deviceCode, userCode, ...uris, expiresIn: CODE_LIFETIME, interval: POLL_INTERVAL }
  }
  throw new Error('no free user code was found')
}

/**
 * Finds the device authorization that a user code stands for, in whatever state it is.
 *
 * @param userCode as the User typed it or the link carried it: case, hyphens and spaces do not matter
 * @returns undefined when there is none at this Brand
 */
export async function findOpenAuthorization(
  brandId: string,
  userCode: string,
): Promise<OpenAuthorization | undefined> {
  const userCodeHash = hashUserCode(userCode)
  if (!userCodeHash) return undefined
  const { rows } = await pool().query<OpenAuthorization>({
    ...findStatement,
    values: [brandId, userCodeHash],
  })
  return rows[0]
}
