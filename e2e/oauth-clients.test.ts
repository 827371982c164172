import { createRemoteJWKSet, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { buildDelegatingProvision } from './harness/delegating-brand.ts'
import { approve, letTimePass } from './harness/device-codes.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { signPaToken } from './harness/wire.ts'

let provider: TestProvider
let issuer: URL
let clientId: string

/** All that PACT adds to a client of the shelf: its personal-agent JWT as the Bearer of every call (§5). */
const withPaToken: oauth.ClientAuth = async (_server, client, body, headers) => {
  body.set('client_id', client.client_id)
  headers.set('Authorization', `Bearer ${await signPaToken(provider.personalAgent)}`)
}

beforeAll(async () => {
  provider = await startTestProvider({ provision: (agents) => buildDelegatingProvision(agents) })
  issuer = new URL(`${provider.url}/a2a/${provider.brandId}/oauth`)
  clientId = provider.personalAgent.issuer
  // Consent is given in the database, in place of a browser.
  setDatabaseUrl(provider.databaseUrl)
})
afterAll(async () => {
  await closeDatabase()
  await provider.close()
})

const scope = 'orders:read orders:cancel'
const allow = (userCode: string, brandUserId: string) =>
  approve(provider.brandId, userCode, { brandUserId, scopes: ['orders:read'], shown: scope.split(' ') })

describe('§5 `oauth4webapi`, as published', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  it('finds the Brand by its issuer, gets tokens, refreshes and revokes them', async () => {
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, discovery)
    const client: oauth.Client = { client_id: clientId }

    const asked = await oauth.deviceAuthorizationRequest(server, client, withPaToken, { scope }, insecure)
    const device = await oauth.processDeviceAuthorizationResponse(server, client, asked)
    expect(device).toMatchObject({ expires_in: 600, interval: 5 })

    const poll = async () =>
      oauth.processDeviceCodeResponse(
        server,
        client,
        await oauth.deviceCodeGrantRequest(server, client, withPaToken, device.device_code, insecure),
      )
    await expect(poll()).rejects.toMatchObject({ error: 'authorization_pending', status: 400 })
    await allow(device.user_code, 'jane-4471')
    const tokens = await poll()
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'orders:read' })

    const refresh = async (refreshToken = '') =>
      oauth.processRefreshTokenResponse(
        server,
        client,
        await oauth.refreshTokenGrantRequest(server, client, withPaToken, refreshToken, insecure),
      )
    const next = await refresh(tokens.refresh_token)
    expect(next.refresh_token).not.toBe(tokens.refresh_token)

    const revocation = await oauth.revocationRequest(
      server,
      client,
      withPaToken,
      next.refresh_token ?? '',
      insecure,
    )
    await oauth.processRevocationResponse(revocation)
    await expect(refresh(next.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
  })

  it('its access token is one of RFC 9068 that `jose` verifies by the metadata alone', async () => {
    const discovery = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, discovery)
    const client: oauth.Client = { client_id: clientId }
    const asked = await oauth.deviceAuthorizationRequest(server, client, withPaToken, { scope }, insecure)
    const device = await oauth.processDeviceAuthorizationResponse(server, client, asked)
    await allow(device.user_code, 'jane-4472')
    const got = await oauth.deviceCodeGrantRequest(server, client, withPaToken, device.device_code, insecure)
    const tokens = await oauth.processDeviceCodeResponse(server, client, got)
    const keys = createRemoteJWKSet(new URL(server.jwks_uri ?? ''))
    const { payload } = await jwtVerify(tokens.access_token, keys, {
      issuer: issuer.href,
      audience: `${provider.url}/a2a/${provider.brandId}`,
      typ: 'at+jwt',
      requiredClaims: ['jti', 'iat', 'exp', 'grant_id'],
    })
    expect(payload).toMatchObject({ sub: 'jane-4472', client_id: clientId, scope: 'orders:read' })

    const request = new Request('http://localhost', {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    })
    const claims = await oauth.validateJwtAccessToken(
      server,
      request,
      `${provider.url}/a2a/${provider.brandId}`,
      insecure,
    )
    expect(claims.sub).toBe('jane-4472')
  })
})

describe('§5 `openid-client`, as published', () => {
  it('goes through the device flow, refreshes and revokes', async () => {
    const configuration = await openid.discovery(issuer, clientId, {}, withPaToken, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    const device = await openid.initiateDeviceAuthorization(configuration, { scope })
    await allow(device.user_code, 'jane-4473')
    const tokens = await openid.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0.1 })
    expect(tokens.scope).toBe('orders:read')
    const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect(next.scope).toBe('orders:read')
    await openid.tokenRevocation(configuration, next.refresh_token ?? '')
    await expect(openid.refreshTokenGrant(configuration, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  it('waits and slows down as it is told, until the User has decided', async () => {
    const configuration = await openid.discovery(issuer, clientId, {}, withPaToken, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    })
    const device = await openid.initiateDeviceAuthorization(configuration, { scope })
    const polling = openid.pollDeviceAuthorizationGrant(configuration, { ...device, interval: 0.5 })
    const approved = (async () => {
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await allow(device.user_code, 'jane-4474')
      // The client waits five seconds longer after `slow_down`; the code has not been polled for so long.
      await letTimePass(60)
    })()
    const [tokens] = await Promise.all([polling, approved])
    expect(tokens.scope).toBe('orders:read')
  })
})
