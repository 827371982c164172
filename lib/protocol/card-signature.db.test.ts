import { type AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { decodeProtectedHeader, flattenedVerify, type JWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { buildOrderAgentProvision } from '#e2e/harness/order-agent-provision.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { rotateKey } from '#lib/keys/rotation.ts'
import { config, setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { readProvision } from '#lib/provisioning/read-provision.ts'
import { canonicalForms } from './card-signature.ts'
import { handle } from './handle.ts'

type Signed = { signatures: { protected: string; signature: string }[]; [key: string]: unknown }

let database: Awaited<ReturnType<typeof freshDatabase>>

beforeAll(async () => {
  // The SDK reports there each signature that it can't verify.
  vi.spyOn(console, 'debug').mockReturnValue()
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  const content = JSON.stringify(buildOrderAgentProvision([], { api: 'http://localhost:3200' }))
  const read = readProvision(content, { file: 'test', allowLoopback: true })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  await applyProvision(read.provision, { dryRun: false })
})

afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

const fetchCard = (brandId = BRAND_ID, headers = {}) =>
  handle(new Request(`http://localhost/a2a/${brandId}/.well-known/agent-card.json`, { headers }))

const readCard = async () => (await (await fetchCard()).json()) as Signed

/** The SDK's verifier, with the Brand's published keys and nothing else. */
function verify(card: Signed): Promise<void> {
  return verifyAgentCardSignature(async (kid) => {
    const { keys } = await publishedJwks(BRAND_ID)
    const key = keys.find((each) => each.kid === kid)
    if (!key) throw new Error('no such key')
    return key as JWK
  })(card as unknown as AgentCard)
}

describe('a card’s signatures (A2A 1.0 §8.4)', () => {
  it('pass the verifier of the A2A SDK', async () => {
    await verify(await readCard())
  })

  it('fail it when anything that it looks at has changed', async () => {
    const card = await readCard()
    await expect(verify({ ...card, name: 'Another' })).rejects.toThrow()
    await expect(verify({ ...card, securitySchemes: {} })).rejects.toThrow()
  })

  it('name key, algorithm, type and where the keys are', async () => {
    const { signatures } = await readCard()
    const { keys } = await publishedJwks(BRAND_ID)
    for (const signature of signatures) {
      expect(decodeProtectedHeader(signature)).toEqual({
        alg: 'ES256',
        kid: keys[0]?.kid,
        typ: 'JOSE',
        jku: `${config().providerUrl}/a2a/${BRAND_ID}/oauth/jwks.json`,
      })
    }
  })

  it('cover security requirements without scopes, as §8.4.1 says', async () => {
    const { signatures, ...card } = await readCard()
    const { keys } = await publishedJwks(BRAND_ID)
    const strict = canonicalize({
      ...card,
      securityRequirements: [{ schemes: { paJwt: {} } }, { schemes: { paJwt: {}, userDelegation: {} } }],
      skills: [{ id: 'orders', name: 'Orders', description: 'Order status and changes.', tags: ['orders'] }],
    })
    const payload = Buffer.from(String(strict)).toString('base64url')
    const results = await Promise.allSettled(
      signatures.map((signature) => flattenedVerify({ ...signature, payload }, keys[0] as JWK)),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('stay as they are, and the ETag with them, until the key changes', async () => {
    const first = await fetchCard()
    const etag = first.headers.get('ETag') ?? ''
    expect(await (await fetchCard()).text()).toBe(await first.text())
    expect((await fetchCard(BRAND_ID, { 'If-None-Match': etag })).status).toBe(304)
    await rotateKey(BRAND_ID, { force: true })
    forgetConfirmation()
    const later = await fetchCard(BRAND_ID, { 'If-None-Match': etag })
    expect(later.status).toBe(200)
    await verify((await later.json()) as Signed)
  })

  it('are not there without delegation: nothing publishes keys', async () => {
    expect(await (await fetchCard(OTHER_BRAND_ID)).json()).not.toHaveProperty('signatures')
  })
})

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((each) => each.isWellFormed())
const skill = fc.record({
  id: text,
  name: text,
  description: text,
  tags: fc.array(text, { maxLength: 2 }),
  examples: fc.array(text, { maxLength: 2 }),
})

describe('the canonical forms', () => {
  it('are what the SDK makes of the same card, then what §8.4.1 says, whatever a Brand’s texts are', () => {
    fc.assert(
      fc.property(text, text, fc.array(skill, { maxLength: 2 }), (name, description, skills) => {
        const card = {
          name,
          description,
          capabilities: { streaming: false },
          securityRequirements: [{ schemes: { paJwt: { list: [] } } }],
          skills,
        }
        const [sdk, strict] = canonicalForms(card)
        expect(sdk).toBe(canonicalizeAgentCard(card as unknown as AgentCard))
        expect(strict).toBe(
          canonicalize({
            ...card,
            securityRequirements: [{ schemes: { paJwt: {} } }],
            skills: skills.map(({ examples, ...rest }) =>
              examples.length > 0 ? { ...rest, examples } : rest,
            ),
          }),
        )
      }),
    )
  })
})
