import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { setClock } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { rediscoveryLimits } from './rediscover.ts'
import { defaultLimits } from './schema.ts'
import { authenticate } from './verify-pa-token.ts'

const audience = 'urn:example:provider'
const CONFIGURATION = '/.well-known/openid-configuration'
let host: DocumentHost
let issuer: string
let time: number
let keys: { old: CryptoKeyPair; new: CryptoKeyPair }

databaseOfThisFile()
beforeAll(async () => {
  log().level = 'silent'
  keys = { old: await generateKeyPair('ES256'), new: await generateKeyPair('ES256') }
})

beforeEach(async () => {
  await provide('open')
  time = Date.now()
  setClock(() => time)
  host = await startDocumentHost()
  issuer = host.origin
  await publish('/old.json', 'old')
  await publish('/new.json', 'new')
  say('/old.json')
})
afterEach(async () => {
  setClock()
  await host.close()
})

async function provide(trust: 'allowlist' | 'open') {
  const settings = { organization: 'Example', audience, trust, limits: defaultLimits }
  await prisma().provider.upsert({ where: { id: 1 }, create: settings, update: settings })
}

async function publish(path: string, name: 'old' | 'new') {
  host.answer(path, { keys: [{ ...(await exportJWK(keys[name].publicKey)), kid: name }] })
}

/** The issuer says that its keys are there. */
function say(path: string) {
  host.answer(CONFIGURATION, { issuer, jwks_uri: host.origin + path })
}

/** @returns 'ok', or why the token is refused */
async function callWith(name: 'old' | 'new', kid: string = name) {
  const iat = Math.floor(time / 1000)
  const token = await new SignJWT({ iss: issuer, sub: 'user-1', aud: audience, iat, exp: iat + 120 })
    .setProtectedHeader({ alg: 'ES256', kid })
    .sign(keys[name].privateKey)
  forgetConfirmation()
  const result = await authenticate(`Bearer ${token}`)
  return result.ok ? 'ok' : result.reason
}

const placeNow = async () => (await prisma().personalAgent.findUniqueOrThrow({ where: { issuer } })).jwksUri

/** Known, asked for where its keys are, and enough time since to ask again. */
async function meet() {
  expect(await callWith('old')).toBe('ok')
  expect(await callWith('old')).toBe('ok')
  time += rediscoveryLimits.pause
}

describe('§3.1, open trust policy: the keys of a discovered personal agent', () => {
  it.each([
    [
      'its former place is gone',
      () => host.answer('/old.json', (_, response) => response.writeHead(404).end()),
    ],
    ['its former place knows no such key', () => undefined],
    ['its former place has another key by that name', () => publish('/old.json', 'old')],
  ])('are looked for where its issuer says now, when %s', async (name, change) => {
    await meet()
    await change()
    say('/new.json')
    const kid = name.includes('another key') ? 'old' : 'new'
    if (kid === 'old') host.answer('/new.json', { keys: [{ ...(await exportJWK(keys.new.publicKey)), kid }] })
    const hits = host.hits(CONFIGURATION)
    const answers = await Promise.all(Array.from({ length: 10 }, () => callWith('new', kid)))
    expect(answers).toEqual(Array(10).fill('ok'))
    expect(host.hits(CONFIGURATION)).toBe(hits + 1)
    expect(await placeNow()).toBe(`${host.origin}/new.json`)
  })

  it('whoever forges its tokens makes it be asked once in five minutes, and moves nothing', async () => {
    await meet()
    const hits = host.hits(CONFIGURATION)
    for (let n = 0; n < 5; n++) expect(await callWith('new', 'old')).toBe('signature')
    expect(host.hits(CONFIGURATION)).toBe(hits + 1)
    time += rediscoveryLimits.pause - 1
    expect(await callWith('new')).toBe('unknown_key')
    expect(host.hits(CONFIGURATION)).toBe(hits + 1)
    time += 1
    say('/elsewhere.json')
    expect(await callWith('new')).toBe('jwks_unreachable')
    expect(host.hits(CONFIGURATION)).toBe(hits + 2)
    expect(await placeNow()).toBe(`${host.origin}/old.json`)
  })

  it('count no more an hour after they have moved, though their former place still has them', async () => {
    await meet()
    say('/new.json')
    time += rediscoveryLimits.every
    // The first of them asks beside itself.
    expect(await callWith('old')).toBe('ok')
    await expect.poll(() => callWith('old')).toBe('unknown_key')
    expect(await placeNow()).toBe(`${host.origin}/old.json`)
    expect(await callWith('new')).toBe('ok')
    expect(await placeNow()).toBe(`${host.origin}/new.json`)
    expect(await callWith('old')).toBe('unknown_key')
  })

  it('stay where they are while its issuer says nothing', async () => {
    await meet()
    host.answer(CONFIGURATION, (_, response) => response.writeHead(500).end())
    time += rediscoveryLimits.every
    for (let n = 0; n < 3; n++) expect(await callWith('old')).toBe('ok')
  })
})

it.each([
  ['of a registered personal agent', 'registered', 'open'],
  ['under the allowlist policy', 'discovered', 'allowlist'],
] as const)('%s the issuer is never asked', async (_, origin, trust) => {
  await provide(trust)
  await prisma().personalAgent.create({
    data: { issuer, jwksUri: `${host.origin}/old.json`, name: 'A PA', origin },
  })
  say('/new.json')
  expect(await callWith('old')).toBe('ok')
  time += rediscoveryLimits.every
  expect(await callWith('new')).toBe('unknown_key')
  expect(host.hits(CONFIGURATION)).toBe(0)
})
