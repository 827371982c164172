import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { mustDelegated, mustNotDelegated } from '../delegated-requirement.ts'
import type { Delegation } from '../delegation.ts'
import { expectOAuthError, expectUnauthorized } from '../expectations.ts'
import { listed } from '../requirement.ts'
import { strangersKey } from '../tokens.ts'
import { at } from '../wire.ts'

/** RFC 8628 §3.5: what a poll before the User's decision may get. */
const pending = ['authorization_pending', 'slow_down']

async function start(delegation: Delegation) {
  const client = delegation.client()
  const started = await delegation.authorize(client, delegation.offered.scopes)
  return { client, started, deviceCode: at(started.json, 'device_code') }
}

mustDelegated('5.3', 'device_authorization answers codes and links (RFC 8628 §3.2)', async (delegation) => {
  const { started } = await start(delegation)
  expect(started.status).toBe(200)
  expect(started.json).toMatchObject({
    device_code: expect.stringMatching(/./),
    user_code: expect.stringMatching(/./),
    verification_uri: expect.stringMatching(/^https?:\/\//),
    verification_uri_complete: expect.stringMatching(/^https?:\/\//),
    expires_in: expect.any(Number),
  })
  expect(at(started.json, 'expires_in'), 'expires_in').toBeGreaterThan(0)
})

mustDelegated('5.3', 'verification_uri_complete carries the user code', async (delegation) => {
  const { started } = await start(delegation)
  const link = decodeURIComponent(decodeURIComponent(String(at(started.json, 'verification_uri_complete'))))
  expect(link).toContain(String(at(started.json, 'user_code')))
})

mustDelegated('5.3', 'each device authorization has codes of its own', async (delegation) => {
  const one = (await start(delegation)).started
  const other = (await start(delegation)).started
  for (const name of ['device_code', 'user_code']) expect(at(one.json, name)).not.toBe(at(other.json, name))
})

mustDelegated('5.3', 'an unknown scope id gets invalid_scope', async (delegation) => {
  const client = delegation.client()
  const unknown = `unknown:${randomUUID()}`
  expectOAuthError(await delegation.authorize(client, [unknown]), 'invalid_scope')
  expectOAuthError(
    await delegation.authorize(client, [...delegation.offered.scopes, unknown]),
    'invalid_scope',
  )
})

/** §3.4: what a bad personal-agent JWT is, in a few kinds. */
const badTokens: [string, (delegation: Delegation) => Promise<string | undefined>][] = [
  ['no token', async () => undefined],
  ['a token that is none', async () => 'not-a-token'],
  [
    'a token signed with another key',
    ({ provider }) => provider.signer.sign({ key: strangersKey(provider.target.personalAgent.privateJwk) }),
  ],
  ['a token for another audience', ({ provider }) => provider.signer.sign({ claims: { aud: randomUUID() } })],
]

for (const [what, make] of badTokens) {
  mustDelegated('5.3', `device_authorization: ${what} gets 401 (§3.4)`, async (delegation) => {
    const { offered, provider } = delegation
    const fields = { client_id: provider.target.personalAgent.issuer, scope: offered.scopes.join(' ') }
    const token = await make(delegation)
    expectUnauthorized(await delegation.postWith(offered.deviceAuthorizationUrl, token, fields))
  })

  mustDelegated('5.3', `token: ${what} gets 401 (§3.4)`, async (delegation) => {
    const { client, deviceCode } = await start(delegation)
    const fields = {
      client_id: client.issuer,
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: String(deviceCode),
    }
    const token = await make(delegation)
    expectUnauthorized(await delegation.postWith(delegation.offered.tokenUrl, token, fields))
  })
}

mustDelegated('5.3', 'a client_id other than the personal agent’s issuer is refused', async (delegation) => {
  const fields = { scope: delegation.offered.scopes.join(' '), client_id: 'https://somebody-else.invalid' }
  const answer = await delegation.post(delegation.offered.deviceAuthorizationUrl, delegation.client(), fields)
  expectOAuthError(answer, 'invalid_client', 'invalid_request', 'unauthorized_client')
})

mustDelegated(
  '5.3',
  'before approval, a poll gets authorization_pending or slow_down',
  async (delegation) => {
    const { client, deviceCode } = await start(delegation)
    expectOAuthError(await delegation.poll(client, deviceCode), ...pending)
    expectOAuthError(await delegation.poll(client, deviceCode), ...pending)
  },
)

mustDelegated('6', 'an unknown device_code gets invalid_grant or expired_token', async (delegation) => {
  expectOAuthError(await delegation.poll(delegation.client(), randomUUID()), 'invalid_grant', 'expired_token')
})

mustDelegated(
  '6',
  'an unknown grant_type gets unsupported_grant_type (RFC 6749 §5.2)',
  async (delegation) => {
    const answer = await delegation.post(delegation.offered.tokenUrl, delegation.client(), {
      grant_type: 'password',
      username: 'jane',
      password: 'secret',
    })
    expectOAuthError(answer, 'unsupported_grant_type')
  },
)

mustDelegated('6', 'a token request without device_code gets invalid_request', async (delegation) => {
  const fields = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }
  const answer = await delegation.post(delegation.offered.tokenUrl, delegation.client(), fields)
  expectOAuthError(answer, 'invalid_request')
})

mustNotDelegated('5.3', 'another personal agent gets a token with the device_code', async (delegation) => {
  const stranger = delegation.otherClient()
  const { client, started, deviceCode } = await start(delegation)
  await delegation.decide(started, { decision: 'approve', scopes: delegation.offered.scopes, user: 'first' })
  expectOAuthError(await delegation.poll(stranger, deviceCode), 'invalid_grant', 'expired_token')
  expect((await delegation.redeem(client, started)).status, 'the owner loses nothing').toBe(200)
})

mustDelegated('5.3', 'a User who denies: access_denied', async (delegation) => {
  const { client, started } = await start(delegation)
  await delegation.decide(started, { decision: 'deny', scopes: [], user: 'first' })
  expectOAuthError(await delegation.redeem(client, started), 'access_denied')
})

mustDelegated('5.3', 'after approval, a token response (RFC 6749 §5.1)', async (delegation) => {
  const { answer } = await delegation.obtain({ asked: delegation.offered.scopes })
  expect(answer.headers.get('Cache-Control') ?? '', 'Cache-Control').toMatch(/no-store/)
  expect(answer.json).toMatchObject({
    token_type: expect.stringMatching(/^bearer$/i),
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    expires_in: expect.any(Number),
    scope: expect.any(String),
  })
})

mustDelegated('5.3', 'scope is what the User approved, which may be less', async (delegation, notTested) => {
  const [first, ...rest] = delegation.offered.scopes
  if (first === undefined || rest.length === 0) return notTested('the card has one scope only')
  const { scopes } = await delegation.obtain({ asked: delegation.offered.scopes, approved: [first] })
  expect(scopes).toEqual([first])
})

mustNotDelegated('5.3', 'a device_code gives a token twice', async (delegation) => {
  const { client, deviceCode } = await delegation.obtain({ asked: delegation.offered.scopes })
  const again = await delegation.poll(client, deviceCode)
  expectOAuthError(again, 'invalid_grant', 'expired_token', 'slow_down')
})

listed('5.3', 'MUST NOT', 'proxy, frame, or observe the login', 'binds personal agents')
listed('5.3', 'MUST', 'read scope in the token response', 'binds personal agents')
listed('5.3', 'MUST', 'expired_token once the code has expired', 'the suite does not wait that long')
listed(
  '5.3',
  'MUST',
  'consent follows the Brand’s login, with a single-use assertion bound to the user_code, sent by POST',
  'between the Brand and its Provider; how is the Provider’s to define',
)
