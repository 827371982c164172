import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { revokeGrant } from '#lib/delegation/grants.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { buildDelegatingProvision } from './harness/delegating-brand.ts'
import { approve } from './harness/device-codes.ts'
import { startTestProvider, type TestProcess, type TestProvider } from './harness/provider.ts'
import { buildSendBody, signPaToken } from './harness/wire.ts'

let provider: TestProvider
let doors: { url: string }[]
let token: string

beforeAll(async () => {
  provider = await startTestProvider({ provision: (agents) => buildDelegatingProvision(agents) })
  // One product at one address, behind which requests go to any process and any door.
  const env = { PROVIDER_URL: provider.url }
  const second: TestProcess = await provider.startProcess({ env })
  doors = [provider, second, await provider.startProcess({ lane: false, env })]
  token = await signPaToken(provider.personalAgent)
  setDatabaseUrl(provider.databaseUrl)
})
afterAll(async () => {
  await closeDatabase()
  await provider.close()
})

async function post(door: { url: string }, path: string, fields: Record<string, string>) {
  const response = await fetch(`${door.url}/a2a/${provider.brandId}/oauth/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}` },
    body: new URLSearchParams({ client_id: provider.personalAgent.issuer, ...fields }),
  })
  const text = await response.text()
  return { status: response.status, body: text ? JSON.parse(text) : {} }
}

const poll = (door: { url: string }, deviceCode: string) =>
  post(door, 'token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: deviceCode,
  })

const refresh = (door: { url: string }, refreshToken: string) =>
  post(door, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken })

async function start(brandUserId: string): Promise<{ deviceCode: string; userCode: string }> {
  const { body } = await post(provider, 'device_authorization', { scope: 'orders:read' })
  await approve(provider.brandId, body.user_code, { brandUserId, scopes: ['orders:read'] })
  return { deviceCode: body.device_code, userCode: body.user_code }
}

async function send(door: { url: string }, delegationToken: string): Promise<number> {
  const response = await fetch(`${door.url}/a2a/${provider.brandId}/message:send`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-A2A-User-Delegation': `Bearer ${delegationToken}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(buildSendBody('hello')),
  })
  await response.text()
  return response.status
}

describe('two processes and both doors on one database', () => {
  it('issue one token, however many poll an approved code at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { deviceCode } = await start(`poll-${round}`)
      const answers = await Promise.all([...doors, ...doors].map((door) => poll(door, deviceCode)))
      const issued = answers.filter(({ status }) => status === 200)
      expect(issued).toHaveLength(1)
      for (const { status, body } of answers) if (status !== 200) expect(body.error).toBe('invalid_grant')
    }
  })

  it('never leave two live families after refreshing at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const { deviceCode } = await start(`refresh-${round}`)
      const { body } = await poll(provider, deviceCode)
      const answers = await Promise.all([...doors, ...doors].map((door) => refresh(door, body.refresh_token)))
      const won = answers.filter(({ status }) => status === 200)
      expect(won.length).toBeLessThanOrEqual(1)
      const tokens = [body, ...won.map((answer) => answer.body)]
      for (const [index, { refresh_token, access_token }] of tokens.entries()) {
        const door = doors[index % doors.length] ?? provider
        expect((await refresh(door, refresh_token)).body.error).toBe('invalid_grant')
        expect(await send(door, access_token)).toBe(401)
      }
    }
  })

  it('all refuse a token, its refresh token and an uncollected code as soon as the grant is revoked', async () => {
    const { deviceCode } = await start('revoked')
    const { body } = await poll(provider, deviceCode)
    const uncollected = await start('revoked')
    for (const door of doors) expect(await send(door, body.access_token)).toBe(200)
    const { grant_id: grantId } = JSON.parse(
      Buffer.from(body.access_token.split('.')[1], 'base64url').toString(),
    )
    await revokeGrant({ brandId: provider.brandId, grantId, by: 'user' })
    for (const door of doors) {
      expect(await send(door, body.access_token)).toBe(401)
      expect((await refresh(door, body.refresh_token)).body.error).toBe('invalid_grant')
      expect((await poll(door, uncollected.deviceCode)).body.error).toBe('invalid_grant')
    }
  })

  it('serve the same metadata and keys at both places and doors', async () => {
    const base = `/a2a/${provider.brandId}/oauth`
    for (const path of [
      `${base}/.well-known/oauth-authorization-server`,
      `/.well-known/oauth-authorization-server${base}`,
      `${base}/jwks.json`,
    ]) {
      const answers = await Promise.all(
        doors.map(async ({ url }) => {
          const response = await fetch(url + path)
          const { etag, 'cache-control': cache } = Object.fromEntries(response.headers)
          return { status: response.status, etag, cache, body: await response.text() }
        }),
      )
      expect(answers[0]?.status).toBe(200)
      expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    }
  })
})
