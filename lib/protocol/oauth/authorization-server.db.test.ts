import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SCOPES } from '#e2e/harness/delegating-brand.ts'
import { approve } from '#e2e/harness/device-codes.ts'
import { DEVICE_CODE, type OAuthCalls, openOAuthCalls } from '#e2e/harness/oauth-calls.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { pool } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { handle } from '../handle.ts'

let calls: OAuthCalls

beforeAll(async () => {
  calls = await openOAuthCalls()
})
afterAll(() => calls.close())

const ask: OAuthCalls['ask'] = (...call) => calls.ask(...call)
const post: OAuthCalls['post'] = (...call) => calls.post(...call)

const client = () => ({ client_id: calls.agent.issuer })
const _endpoints = ['device_authorization', 'token', 'revoke']
const documents = ['.well-known/oauth-authorization-server', 'jwks.json']

async function start(scope = 'orders:read orders:cancel') {
  return (await post('device_authorization', { ...client(), scope })).body
}

const poll = (deviceCode: string) =>
  post('token', { ...client(), grant_type: DEVICE_CODE, device_code: deviceCode })

async function _logIn() {
  const started = await start()
  await approve(calls.brandId, started.user_code, { scopes: ['orders:read'] })
  return poll(started.device_code)
}

describe('§5.1 metadata and keys', () => {
  it('the metadata has every member that RFC 8414 requires, and those of RFC 8628 and RFC 7009', async () => {
    const { status, headers, body } = await ask('.well-known/oauth-authorization-server')
    const { issuer } = authorizationServer(calls.brandId)
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/json')
    expect(body).toEqual({
      issuer,
      device_authorization_endpoint: `${issuer}/device_authorization`,
      token_endpoint: `${issuer}/token`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/jwks.json`,
      scopes_supported: [...SCOPES],
      response_types_supported: [],
      grant_types_supported: [DEVICE_CODE, 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
    })
  })

  it('the metadata is the same at RFC 8414’s own place', async () => {
    const own = await handle(
      new Request(`http://localhost/.well-known/oauth-authorization-server/a2a/${calls.brandId}/oauth`),
    )
    expect(await own.text()).toBe((await ask('.well-known/oauth-authorization-server')).text)
  })

  it('the keys are public ones', async () => {
    const { status, headers, body } = await ask('jwks.json')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/jwk-set+json')
    expect(body.keys.length).toBeGreaterThan(0)
    for (const key of body.keys) {
      expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', kid: expect.any(String) })
      expect(key).not.toHaveProperty('d')
    }
  })

  it.each(documents)('%s is cacheable, and readable from any origin', async (path) => {
    const { headers } = await ask(path)
    expect(headers.get('Cache-Control')).toMatch(/^public, max-age=\d+$/)
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
    const again = await ask(path, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
    expect([again.status, again.text]).toEqual([304, ''])
    const preflight = await ask(path, { method: 'OPTIONS' })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })
})

describe('§5.1 the card', () => {
  it('links the authorization server and lists the scopes; the entry of §3 alone stays', async () => {
    const card = await handle(
      new Request(`http://localhost/a2a/${calls.brandId}/.well-known/agent-card.json`),
    )
    const { securitySchemes, securityRequirements } = await card.json()
    const { deviceAuthorizationUrl, tokenUrl, metadataUrl } = authorizationServer(calls.brandId)
    expect(securitySchemes.userDelegation).toEqual({
      oauth2SecurityScheme: {
        flows: {
          deviceCode: {
            deviceAuthorizationUrl,
            tokenUrl,
            scopes: Object.fromEntries(SCOPES.map((id) => [id, `May do ${id}`])),
          },
        },
        oauth2MetadataUrl: metadataUrl,
      },
    })
    expect(securityRequirements).toEqual([
      { schemes: { paJwt: { list: [] } } },
      { schemes: { paJwt: { list: [] }, userDelegation: { list: [] } } },
    ])
  })

  it('of a Brand without delegation has none of it', async () => {
    const card = await handle(
      new Request(`http://localhost/a2a/${OTHER_BRAND_ID}/.well-known/agent-card.json`),
    )
    const { securitySchemes, securityRequirements } = await card.json()
    expect(Object.keys(securitySchemes)).toEqual(['paJwt'])
    expect(securityRequirements).toEqual([{ schemes: { paJwt: { list: [] } } }])
  })
})

describe('DESIGN: what an operator takes away is gone at once', () => {
  it.each([
    ['"enabled" = false', '"enabled" = true'],
    [`"delegation" = NULL`, `"delegation" = $2::jsonb`],
  ])(
    'a Brand with %s has no authorization server, for codes approved before either',
    async (change, back) => {
      const { rows } = await pool().query('SELECT "delegation" FROM "Brand" WHERE "id" = $1', [calls.brandId])
      const started = await start()
      await approve(calls.brandId, started.user_code, { scopes: ['orders:read'] })
      await pool().query(`UPDATE "Brand" SET ${change} WHERE "id" = $1`, [calls.brandId])
      forgetConfirmation()
      expect((await poll(started.device_code)).status).toBe(404)
      expect((await ask('jwks.json')).status).toBe(404)
      const values = back.includes('$2') ? [calls.brandId, rows[0].delegation] : [calls.brandId]
      await pool().query(`UPDATE "Brand" SET ${back} WHERE "id" = $1`, values)
      forgetConfirmation()
      expect((await poll(started.device_code)).status).toBe(200)
    },
  )

  it('a disabled personal agent gets the 401 of §3.4 for its codes', async () => {
    const started = await start()
    await approve(calls.brandId, started.user_code, { scopes: ['orders:read'] })
    const enable = async (enabled: boolean) => {
      const values = [enabled, calls.agent.issuer]
      await pool().query('UPDATE "PersonalAgent" SET "enabled" = $1 WHERE "issuer" = $2', values)
      forgetConfirmation()
    }
    await enable(false)
    const refused = await poll(started.device_code)
    expect([refused.status, refused.text]).toEqual([401, ''])
    await enable(true)
    expect((await poll(started.device_code)).status).toBe(200)
  })
})

describe('a failure of our own', () => {
  it('is a server_error that tells nothing', async () => {
    await calls.dropDatabase()
    const failed = await post('device_authorization', { ...client(), scope: 'orders:read' })
    expect([failed.status, failed.body]).toEqual([500, { error: 'server_error' }])
    expect(failed.headers.get('Cache-Control')).toBe('no-store')
  })
})
