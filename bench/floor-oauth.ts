import { createHash, randomBytes } from 'node:crypto'
import { startStatement } from '#lib/delegation/device-authorization.ts'
import { pollStatement } from '#lib/delegation/redeem-device-code.ts'
import { refreshStatement } from '#lib/delegation/refresh.ts'
import { SCOPE } from './delegating-brand.ts'
import { facts, pool, sign } from './floor-parts.ts'
import { DELEGATING_BRAND_ID } from './provision.ts'

const CODE_LIFETIME = 600
const POLL_INTERVAL = 5
const TOKEN_LIFETIME = 3_600

type Answer = { status: number; body: object }

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function newSecret(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`
}

/** `POST device_authorization`: one statement. */
export async function authorize(subject: string): Promise<Answer> {
  const deviceCode = newSecret('dc')
  const userCode = randomBytes(6).toString('base64url')
  const owner = [DELEGATING_BRAND_ID, facts.personalAgentId, subject]
  const codes = [hash(deviceCode), hash(userCode)]
  const values = [...owner, ...codes, [SCOPE], POLL_INTERVAL, CODE_LIFETIME]
  await pool.query({ ...startStatement, values })
  const body = { device_code: deviceCode, user_code: userCode, expires_in: CODE_LIFETIME }
  return { status: 200, body }
}

/** `POST token`, both grants: one statement, and a signature where it issues. */
export async function issue(subject: string, form: URLSearchParams): Promise<Answer> {
  const presented = form.get('refresh_token')
  const next = newSecret('rt')
  const owner = [DELEGATING_BRAND_ID, facts.personalAgentId, subject, [SCOPE], hash(next)]
  const { rows } = await pool.query(
    presented === null
      ? { ...pollStatement, values: [hash(form.get('device_code') ?? ''), ...owner] }
      : { ...refreshStatement, values: [hash(presented), ...owner, null] },
  )
  const { outcome, grantId, brandUserId, scopes, issuedAt } = rows[0] ?? { outcome: 'invalid_grant' }
  if (outcome !== 'issue') return { status: 400, body: { error: outcome } }
  const token = await sign({
    sub: brandUserId,
    client_id: facts.issuer,
    scope: scopes.join(' '),
    grant_id: grantId,
    iat: issuedAt,
    exp: issuedAt + TOKEN_LIFETIME,
  })
  return { status: 200, body: { token_type: 'Bearer', access_token: token, refresh_token: next } }
}
