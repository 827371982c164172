import type { JWK } from 'jose'
import type pg from 'pg'
import { signDelegationToken } from '#lib/delegation/delegation-token.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { type BenchProvider, withClient } from './database.ts'
import { SCOPE } from './delegating-brand.ts'
import { DELEGATING_BRAND_ID } from './provision.ts'
import { deviceCodePrefix, POLLED_CODES, refreshTokenPrefix } from './stock.ts'

/** What Users have approved before a run begins, and the key that their delegation tokens verify with. */
export type Approved = { delegationTokens: string[]; publicJwk: JWK }

type Owner = { users: number; issuer: string }

const grantId = (user: number) => `a2agrant_bench_${user}`
const brandUser = (user: number) => `jane-${user}`

const storeGrants = `
INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
SELECT 'a2agrant_bench_' || n, $1, $2, 'user-' || n, 'jane-' || n, ARRAY[$3], now() + interval '1 day'
FROM generate_series(0, $4::int - 1) AS n`

/** `$3`: whose names begin with it; `$4`, `$5`: the first number, and how many; `$6`: how many Users; `$7`: approved. */
const storeCodes = `
INSERT INTO "DeviceAuthorization"
  ("id", "brandId", "personalAgentId", "subject", "deviceCodeHash", "userCodeHash", "requestedScopes", "expiresAt",
   "state", "decidedAt", "grantId", "grantedScopes")
SELECT gen_random_uuid(), $1, $2, 'user-' || n % $6::int, sha256(convert_to($3 || n, 'UTF8')),
  sha256(convert_to('user code ' || $3 || n, 'UTF8')), ARRAY[$8], now() + interval '1 day',
  (CASE WHEN $7 THEN 'approved' ELSE 'pending' END)::"DeviceAuthorizationState", CASE WHEN $7 THEN now() END,
  CASE WHEN $7 THEN 'a2agrant_bench_' || n % $6::int END, CASE WHEN $7 THEN ARRAY[$8] ELSE '{}' END
FROM generate_series($4::int, $4::int + $5::int - 1) AS n`

const storeRefreshTokens = `
INSERT INTO "RefreshToken" ("tokenHash", "brandId", "grantId", "scopes", "expiresAt")
SELECT sha256(convert_to($2 || n, 'UTF8')), $1, 'a2agrant_bench_' || n % $4::int, ARRAY[$5], now() + interval '1 day'
FROM generate_series(0, $3::int - 1) AS n`

const publicJwkOf = `SELECT "publicJwk" FROM "SigningKey" WHERE "brandId" = $1 AND "state" = 'active'`

/** Lets every User approve the scope: their grants, and a delegation token (§5.4) for each. */
export async function approveAll(provider: BenchProvider, { users, issuer }: Owner): Promise<Approved> {
  const publicJwk = await withClient(provider.url, async (client) => {
    await client.query(storeGrants, [DELEGATING_BRAND_ID, provider.personalAgentId, SCOPE, users])
    const { rows } = await client.query<{ publicJwk: JWK }>(publicJwkOf, [DELEGATING_BRAND_ID])
    return rows[0]?.publicJwk ?? {}
  })
  setDatabaseUrl(provider.url)
  const delegationTokens: string[] = []
  for (let user = 0; user < users; user += 1) {
    const facts = { brandUserId: brandUser(user), grantId: grantId(user), scopes: [SCOPE] }
    const signed = await signDelegationToken({ brandId: DELEGATING_BRAND_ID, clientId: issuer, ...facts })
    delegationTokens.push(signed.token)
  }
  await closeDatabase()
  return { delegationTokens, publicJwk }
}

/** What the servers under test use up: it is stored before what is measured, and again after it. */
export class DelegationStock {
  readonly #provider: BenchProvider
  readonly #users: number
  readonly #approved = new Map<string, number>()

  constructor(provider: BenchProvider, users: number) {
    this.#provider = provider
    this.#users = users
  }

  /** Stores what one server begins with. @param amounts how many refresh tokens, and codes that are approved */
  async open(stock: string, amounts: { refreshTokens: number; approvedCodes: number }): Promise<void> {
    await withClient(this.#provider.url, async (client) => {
      await this.#store(client, deviceCodePrefix(stock, 'poll'), [0, POLLED_CODES], false)
      const owner = [DELEGATING_BRAND_ID, refreshTokenPrefix(stock)]
      await client.query(storeRefreshTokens, [...owner, amounts.refreshTokens, this.#users, SCOPE])
    })
    await this.addApproved(stock, amounts.approvedCodes)
    await withClient(this.#provider.url, (client) =>
      client.query('VACUUM (ANALYZE) "DeviceAuthorization", "RefreshToken", "Grant"'),
    )
  }

  /** Approves further device codes. */
  async addApproved(stock: string, count: number): Promise<void> {
    const first = this.#approved.get(stock) ?? 0
    const prefix = deviceCodePrefix(stock, 'issue')
    await withClient(this.#provider.url, (client) => this.#store(client, prefix, [first, count], true))
    this.#approved.set(stock, first + count)
  }

  #store(client: pg.Client, prefix: string, numbers: [number, number], approved: boolean): Promise<unknown> {
    const owner = [DELEGATING_BRAND_ID, this.#provider.personalAgentId, prefix]
    return client.query(storeCodes, [...owner, ...numbers, this.#users, approved, SCOPE])
  }
}
