import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDelegation, openDelegatingDatabase, provideDelegation } from '#e2e/harness/delegating-brand.ts'
import { shownScopes } from '#e2e/harness/device-codes.ts'
import { approveAuthorization } from './decide.ts'
import { findOpenAuthorization, startDeviceAuthorization } from './device-authorization.ts'
import { listGrantChanges } from './grant-changes.ts'
import { findGrant } from './grants.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>
beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

const issuers = ['first', 'second'].map((name) => ({
  name,
  issuer: `https://${name}.example`,
  jwksUri: `https://${name}.example/jwks.json`,
  privateJwk: {},
}))

async function approve(brandUserId: string, scopes: string[]) {
  const { brandId, caller } = provider
  const { userCode } = await startDeviceAuthorization({ brand: await provider.brand(), caller, scopes })
  const found = await findOpenAuthorization(brandId, userCode)
  if (!found) throw new Error('not found')
  await approveAuthorization({
    brandId,
    authorizationId: found.id,
    brandUserId,
    scopes,
    shown: shownScopes(scopes),
  })
  const { personalAgent, subject } = caller
  return () => findGrant({ brandId, personalAgentId: personalAgent.id, subject, brandUserId })
}

describe('a scope that the Brand does not define any more', () => {
  it('is gone from every grant, and stays gone when the same id is defined again', async () => {
    const wide = await approve('jane', ['orders:read', 'orders:cancel'])
    const narrow = await approve('john', ['orders:cancel'])
    const grantId = String((await wide())?.id)
    await provideDelegation(issuers, buildDelegation(['orders:read', 'refunds:issue']))
    await provideDelegation(issuers)
    expect(await wide()).toMatchObject({ scopes: ['orders:read'] })
    expect(await narrow()).toBeUndefined()
    const [latest] = await listGrantChanges(provider.brandId, grantId)
    expect(latest).toMatchObject({ kind: 'withdrawn', by: 'brand', scopesAfter: ['orders:read'] })
  })
})
