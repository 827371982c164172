import fc from 'fast-check'
import { importJWK, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { damaged, findForbidden, mutated, strangePath } from '#e2e/harness/hostile.ts'
import { playPersonalAgents, type TestPersonalAgent } from '#e2e/harness/personal-agents.ts'
import { AUDIENCE, BRAND_ID, buildTestProvision } from '#e2e/harness/provision.ts'
import { buildSendBody, signPaToken } from '#e2e/harness/wire.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { readProvision } from '#lib/provisioning/read-provision.ts'
import { handle } from './handle.ts'

const base = `http://localhost/a2a/${BRAND_ID}`
let database: Awaited<ReturnType<typeof freshDatabase>>
let played: Awaited<ReturnType<typeof playPersonalAgents>>
let agent: TestPersonalAgent
let token: string

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  played = await playPersonalAgents(['first'])
  const [first] = played.agents
  if (!first) throw new Error('no personal agent')
  agent = first
  const provision = readProvision(JSON.stringify(buildTestProvision([agent])), {
    file: 'test',
    allowLoopback: true,
  })
  if (!provision.ok) throw new Error(JSON.stringify(provision.faults))
  await applyProvision(provision.provision, { dryRun: false })
  token = await signPaToken(agent)
})

afterAll(async () => {
  await played.close()
  await closeDatabase()
  await database.drop()
})

/** The handler's answer; undefined where `Request` itself can't carry what was generated. */
async function ask(url: string, init: RequestInit) {
  let request: Request
  try {
    request = new Request(url, init)
  } catch {
    return undefined
  }
  const response = await handle(request)
  return { status: response.status, headers: response.headers, body: await response.text() }
}

async function expectAllowed(url: string, init: RequestInit): Promise<void> {
  const answer = await ask(url, init)
  const forbidden = answer && findForbidden(answer)
  if (forbidden) throw new Error(forbidden)
}

const send = (body: string | Uint8Array<ArrayBuffer>, authorization = `Bearer ${token}`): RequestInit => ({
  method: 'POST',
  headers: { Authorization: authorization, 'Content-Type': 'application/json' },
  body,
})

describe('§6 whatever a caller sends gets an answer that the specification allows', () => {
  const whole = buildSendBody('my order', {
    contextId: '4f0c12e6-231e-4d92-a610-2518a0f27d20',
    metadata: { a: [1] },
    extensions: [],
  })

  it('a body with mutated members', () =>
    fc.assert(
      fc.asyncProperty(mutated({ ...whole, configuration: { blocking: true } }), (body) =>
        expectAllowed(`${base}/message:send`, send(JSON.stringify(body) ?? '')),
      ),
      { numRuns: 600 },
    ))

  it('a body of damaged JSON', () =>
    fc.assert(
      fc.asyncProperty(damaged(JSON.stringify(whole)), (body) =>
        expectAllowed(`${base}/message:send`, send(body)),
      ),
      { numRuns: 300 },
    ))

  it('a body of any bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (bytes) =>
        expectAllowed(`${base}/message:send`, send(Uint8Array.from(bytes))),
      ),
      { numRuns: 200 },
    ))

  it('text of any kind, in a conversation', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 400 }), (text) =>
        expectAllowed(`${base}/message:send`, send(JSON.stringify(buildSendBody(text)))),
      ),
      { numRuns: 300 },
    ))

  it('a path and method of any kind', () =>
    fc.assert(
      fc.asyncProperty(
        strangePath(BRAND_ID),
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'PROPFIND', '__proto__'),
        (path, method) =>
          expectAllowed(`http://localhost${path}`, { method, headers: { Authorization: `Bearer ${token}` } }),
      ),
      { numRuns: 800 },
    ))

  it('a damaged token', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => damaged(`Bearer ${token}`)),
        (authorization) =>
          expectAllowed(`${base}/message:send`, send(JSON.stringify(buildSendBody('hello')), authorization)),
      ),
      { numRuns: 400 },
    ))

  it('a rightly signed token with mutated claims and header', async () => {
    const key = await importJWK(agent.privateJwk, 'ES256')
    const iat = Math.floor(Date.now() / 1000)
    const claims = {
      iss: agent.issuer,
      sub: 'user-1',
      aud: AUDIENCE,
      iat,
      exp: iat + 120,
      jti: 'j',
      nbf: iat,
    }
    await fc.assert(
      fc.asyncProperty(mutated(claims), mutated({ kid: 'first-key', typ: 'JWT' }), async (claims, header) => {
        let signed: string
        try {
          signed = await new SignJWT(claims as Record<string, unknown>)
            .setProtectedHeader({ ...(header as Record<string, unknown>), alg: 'ES256' })
            .sign(key)
        } catch {
          return
        }
        await expectAllowed(`${base}/tasks`, { headers: { Authorization: `Bearer ${signed}` } })
      }),
      { numRuns: 400 },
    )
  })

  it('headers of any kind', () =>
    fc.assert(
      fc.asyncProperty(
        fc.dictionary(
          fc.constantFrom(
            'If-None-Match',
            'Content-Type',
            'Content-Length',
            'A2A-Version',
            'Origin',
            'Accept',
            'Host',
          ),
          fc.string({ unit: 'binary-ascii', maxLength: 30 }),
        ),
        fc.constantFrom('/.well-known/agent-card.json', '/tasks', '/tasks/x'),
        (headers, path) =>
          expectAllowed(base + path, { headers: { Authorization: `Bearer ${token}`, ...headers } }),
      ),
      { numRuns: 300 },
    ))
})
