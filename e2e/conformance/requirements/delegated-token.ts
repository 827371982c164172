import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { expect } from 'vitest'
import { mustDelegated, shouldDelegated } from '../delegated-requirement.ts'
import type { Delegation, Granted } from '../delegation.ts'
import { expectReply } from '../expectations.ts'
import { at } from '../wire.ts'

/** The claims of a delegation token, verified with the published keys. */
async function claimsOf(delegation: Delegation, token: string) {
  const keys = createRemoteJWKSet(new URL(delegation.endpoint('jwks_uri')))
  const currentDate = new Date(delegation.provider.now() * 1000)
  const { payload } = await jwtVerify(token, keys, { algorithms: ['ES256', 'RS256'], currentDate })
  return payload
}

async function obtainClaims(delegation: Delegation): Promise<Granted & { claims: Record<string, unknown> }> {
  const granted = await delegation.obtain({ asked: delegation.offered.scopes })
  return { ...granted, claims: await claimsOf(delegation, granted.accessToken) }
}

mustDelegated('5.4', 'access_token is a JWT, ES256 or RS256, by a key at jwks_uri', async (delegation) => {
  const { accessToken } = await obtainClaims(delegation)
  expect(['ES256', 'RS256']).toContain(decodeProtectedHeader(accessToken).alg)
})

mustDelegated('5.4', 'the claims of a delegation token', async (delegation) => {
  const { claims, scopes } = await obtainClaims(delegation)
  expect(claims).toMatchObject({
    iss: delegation.endpoint('issuer'),
    aud: delegation.provider.interfaceUrl,
    sub: expect.stringMatching(/./),
    client_id: delegation.provider.target.personalAgent.issuer,
    grant_id: expect.stringMatching(/./),
    iat: expect.any(Number),
    exp: expect.any(Number),
  })
  expect(String(claims.scope).split(' ').toSorted(), 'scope').toEqual(scopes.toSorted())
})

mustDelegated('5.4', 'sub is the User’s id at the Brand: two accounts, two ids', async (delegation) => {
  const asked = delegation.offered.scopes
  const one = await delegation.obtain({ asked })
  const again = await delegation.obtain({ asked })
  const other = await delegation.obtain({ asked, user: 'second' })
  const subOf = async ({ accessToken }: Granted) => (await claimsOf(delegation, accessToken)).sub
  expect(await subOf(again)).toBe(await subOf(one))
  expect(await subOf(other)).not.toBe(await subOf(one))
})

shouldDelegated('5.4', 'a delegation token lives an hour at most', async (delegation) => {
  const { claims } = await obtainClaims(delegation)
  expect(Number(claims.exp) - Number(claims.iat)).toBeLessThanOrEqual(3600)
})

mustDelegated(
  '5.4',
  'a refresh token gets another token of the same grant',
  async (delegation, notTested) => {
    const granted = await obtainClaims(delegation)
    const { refreshToken, client, claims } = granted
    if (refreshToken === undefined) return notTested('the Provider issues no refresh tokens')
    const answer = await delegation.refresh(client, refreshToken)
    expect(answer.status, answer.text).toBe(200)
    const accessToken = String(at(answer.json, 'access_token'))
    const renewed = await claimsOf(delegation, accessToken)
    expect(renewed).toMatchObject({ sub: claims.sub, grant_id: claims.grant_id, scope: claims.scope })
    expectReply(await delegation.message({ client, accessToken }))
  },
)
