import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { applyProvision } from './apply-provision.ts'
import { provisionSchema } from './schema.ts'

const FIRST = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const SECOND = '01KAA0B5V7N2E6Y4D8GH5RPKQF'

databaseOfThisFile()

beforeEach(() => pool().query('TRUNCATE "Provider", "PersonalAgent", "Brand" CASCADE'))

/** Applies the Provider with Brands of these domains, by id. */
function applyDomains(domains: Record<string, string>) {
  const agent = { driver: 'scripted', fallback: 'Hello.' }
  const brands = Object.entries(domains).map(([id, domain]) => {
    return { id, name: domain, description: 'It sells.', domain, agent }
  })
  const provider = { organization: 'Provider', audience: 'urn:example:provider' }
  return applyProvision(provisionSchema({ allowLoopback: true }).parse({ provider, brands }), {
    dryRun: false,
  })
}

describe('domains', () => {
  it('refuses the domain of a Brand that the file does not name, and applies nothing', async () => {
    await applyDomains({ [FIRST]: 'a.example' })
    const reason = `a.example is the domain of another Brand: a.example (${FIRST})`
    await expect(applyDomains({ [SECOND]: 'a.example' })).rejects.toMatchObject({
      name: 'ProvisionError',
      findings: [{ path: ['brands', 0, 'domain'], reason }],
    })
    expect(await prisma().brand.findMany()).toMatchObject([{ id: FIRST }])
  })

  it('lets two Brands of the file swap theirs', async () => {
    await applyDomains({ [FIRST]: 'a.example', [SECOND]: 'b.example' })
    const swapped = { [FIRST]: 'b.example', [SECOND]: 'a.example' }
    expect(await applyDomains(swapped)).toHaveLength(2)
    expect(await applyDomains(swapped)).toEqual([])
  })
})

describe('somebody who stores without the lock', () => {
  it('is seen at the next attempt: a personal agent is discovered meanwhile', async () => {
    const issuer = 'https://a.example'
    const other = await pool().connect()
    await other.query('BEGIN')
    await other.query(
      `INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "origin", "updatedAt")
       VALUES (gen_random_uuid(), $1, $1, 'Found', 'discovered', now())`,
      [issuer],
    )
    const provision = provisionSchema({ allowLoopback: true }).parse({
      provider: { organization: 'Provider', audience: 'urn:example:provider' },
      personalAgents: [{ name: 'Agent', issuer, jwksUri: issuer }],
    })
    const applying = applyProvision(provision, { dryRun: false })
    await new Promise((resolve) => setTimeout(resolve, 300))
    await other.query('COMMIT')
    other.release()
    const changes = await applying
    expect(changes.find(({ kind }) => kind === 'personal agent')).toMatchObject({ action: 'update' })
  })
})
