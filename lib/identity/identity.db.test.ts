import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, pool, prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { findPersonalAgent } from './registry.ts'
import { defaultLimits } from './schema.ts'
import { authenticate } from './verify-pa-token.ts'

const audience = 'urn:example:provider'
let database: Awaited<ReturnType<typeof freshDatabase>>
let host: DocumentHost
let privateKey: CryptoKey

beforeAll(async () => {
  log().level = 'silent'
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  host = await startDocumentHost()
  const pair = await generateKeyPair('ES256')
  privateKey = pair.privateKey
  const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'a' }]
  host.answer('/jwks.json', { keys })
})
afterAll(async () => {
  await host.close()
  await closeDatabase()
  await database.drop()
})

async function callAs(issuer: string) {
  const iat = Math.floor(Date.now() / 1000)
  const token = await new SignJWT({ iss: issuer, sub: 'user-1', aud: audience, iat, exp: iat + 120 })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .sign(privateKey)
  forgetConfirmation()
  return authenticate(`Bearer ${token}`)
}

async function provide(trust: 'allowlist' | 'open') {
  const settings = { organization: 'Example', audience, trust, limits: defaultLimits }
  await prisma().provider.upsert({ where: { id: 1 }, create: settings, update: settings })
}

function agentsOf(issuer: string) {
  return prisma().personalAgent.findMany({ where: { issuer } })
}

describe('§3: authenticate, on the registry', () => {
  it('refuses everyone before it is provisioned', async () => {
    const issuer = `${host.origin}/nobody`
    expect(await callAs(issuer)).toEqual({ ok: false, reason: 'not_provisioned', issuer })
  })

  it('allowlist: knows whom it has registered, and nobody else', async () => {
    await provide('allowlist')
    const issuer = `${host.origin}/registered`
    expect(await callAs(issuer)).toEqual({ ok: false, reason: 'unknown_issuer', issuer })
    const data = { issuer, jwksUri: `${host.origin}/jwks.json`, name: 'Registered' }
    const { id } = await prisma().personalAgent.create({ data })
    expect(await callAs(issuer)).toMatchObject({
      ok: true,
      caller: { subject: 'user-1', personalAgent: { id } },
    })
    await prisma().personalAgent.update({ where: { id }, data: { enabled: false } })
    expect(await callAs(issuer)).toEqual({ ok: false, reason: 'disabled', personalAgentId: id })
  })

  it('open: records a newcomer as discovered, once, however many come at the same time', async () => {
    await provide('open')
    const issuer = `${host.origin}/newcomer`
    host.answer('/newcomer/.well-known/openid-configuration', {
      issuer,
      jwks_uri: `${host.origin}/jwks.json`,
    })
    const results = await Promise.all(Array.from({ length: 20 }, () => callAs(issuer)))
    const agents = await agentsOf(issuer)
    expect(agents).toMatchObject([
      { origin: 'discovered', enabled: true, jwksUri: `${host.origin}/jwks.json` },
    ])
    for (const result of results) {
      expect(result).toMatchObject({ ok: true, caller: { personalAgent: { id: agents[0]?.id } } })
    }
    await prisma().personalAgent.updateMany({ where: { issuer }, data: { enabled: false } })
    expect(await callAs(issuer)).toMatchObject({ ok: false, reason: 'disabled' })
  })

  it('open: records nobody whose token does not verify', async () => {
    await provide('open')
    const issuer = `${host.origin}/impostor`
    host.answer('/impostor/.well-known/openid-configuration', {
      issuer,
      jwks_uri: `${host.origin}/other.json`,
    })
    const { publicKey } = await generateKeyPair('ES256')
    host.answer('/other.json', { keys: [{ ...(await exportJWK(publicKey)), kid: 'a' }] })
    expect(await callAs(issuer)).toEqual({ ok: false, reason: 'signature', issuer })
    expect(await agentsOf(issuer)).toEqual([])
  })
})

describe('§3.1, open trust policy: strangers', () => {
  beforeEach(() => provide('open'))

  function publish(stranger: DocumentHost, path: string) {
    const issuer = stranger.origin + path
    stranger.answer(`${path}/.well-known/openid-configuration`, {
      issuer,
      jwks_uri: `${host.origin}/jwks.json`,
    })
    return issuer
  }

  it('are recorded five a minute and origin; those that were recorded go on', async () => {
    const stranger = await startDocumentHost()
    const issuers = ['/a', '/b', '/c', '/d', '/e', '/f'].map((path) => publish(stranger, path))
    for (const issuer of issuers.slice(0, 5)) expect(await callAs(issuer)).toMatchObject({ ok: true })
    expect(await callAs(issuers[5] ?? '')).toMatchObject({ ok: false, reason: 'discovery_busy' })
    expect(await agentsOf(issuers[5] ?? '')).toEqual([])
    for (const issuer of issuers.slice(0, 5)) expect(await callAs(issuer)).toMatchObject({ ok: true })
    // Another process recorded it: a row that exists takes no place.
    const data = { issuer: issuers[5] ?? '', jwksUri: `${host.origin}/jwks.json`, name: 'Other' }
    await prisma().personalAgent.create({ data: { ...data, origin: 'discovered' } })
    expect(await callAs(issuers[5] ?? '')).toMatchObject({ ok: true })
    await stranger.close()
  })

  it('make no process read its registry again, and are found at once by their own', async () => {
    const stranger = await startDocumentHost()
    const issuer = publish(stranger, '/quiet')
    const revision = async () => (await pool().query('SELECT "value" FROM "RegistryRevision"')).rows
    const before = await revision()
    expect(await findPersonalAgent(issuer)).toBeUndefined()
    expect(await callAs(issuer)).toMatchObject({ ok: true })
    expect(await revision()).toEqual(before)
    expect(await findPersonalAgent(issuer)).toMatchObject({ issuer })
    await stranger.close()
  })
})
