import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { applyProvision } from './apply-provision.ts'
import { exportProvision, exportProvisionFor } from './export-provision.ts'
import { readProvision } from './read-provision.ts'
import { provisionSchema } from './schema.ts'

const options = { file: 'provision.yaml', allowLoopback: true }
const example = join(import.meta.dirname, '../../examples/provision-example.yaml')
const LOOM = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const NORTH = '01KAA0B5V7N2E6Y4D8GH5RPKQF'

function read(text: string) {
  const outcome = readProvision(text, options)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults))
  return outcome.provision
}

const applyText = (text: string) => applyProvision(read(text), { dryRun: false })

async function openFresh(): Promise<void> {
  await closeDatabase()
  setDatabaseUrl((await freshDatabase()).url)
}

beforeAll(() => {
  process.env.PACT_MASTER_KEY ??= randomBytes(32).toString('base64')
})
afterAll(closeDatabase)

describe('the exported provision file', () => {
  beforeEach(openFresh)

  it('says everything that the example says, and makes another Provider the same', async () => {
    const text = await readFile(example, 'utf8')
    await applyText(text)
    const exported = await exportProvision()
    expect(await applyText(exported)).toEqual([])
    await openFresh()
    await applyText(exported)
    expect(await exportProvision()).toBe(exported)
    expect(await applyText(text)).toEqual([])
  })

  it('keeps what became known by itself apart, and leaves out what must not come back', async () => {
    await applyText(await readFile(example, 'utf8'))
    await prisma().personalAgent.create({
      data: {
        issuer: 'https://unwanted.example',
        jwksUri: 'https://unwanted.example/jwks.json',
        name: 'Unwanted',
        origin: 'discovered',
        enabled: false,
      },
    })
    await prisma().consoleUser.create({
      data: { email: 'gone@provider.example', providerRole: 'admin', disabledAt: new Date() },
    })
    await prisma().consoleUser.create({ data: { email: 'nobody@provider.example' } })
    await prisma().brand.update({ where: { id: NORTH }, data: { enabled: false, archivedAt: new Date() } })
    const exported = await exportProvision()
    const { personalAgents, brands, console } = read(exported)
    expect(personalAgents.find(({ name }) => name === 'Unwanted')).toMatchObject({
      origin: 'discovered',
      enabled: false,
    })
    expect(brands.some(({ id }) => id === NORTH)).toBe(false)
    expect(console.users.map(({ email }) => email)).not.toContain('gone@provider.example')
    expect(console.users.map(({ email }) => email)).not.toContain('nobody@provider.example')
    expect(await applyText(exported)).toEqual([])
  })

  it('has no secret in it', async () => {
    await applyText(await readFile(example, 'utf8'))
    const secrets = { passwordHash: '$argon2id$v=19$secret', sealedTotp: new Uint8Array([1, 2, 3]) }
    await prisma().consoleUser.updateMany({ data: secrets })
    const { publicJwk, sealedPrivate } = await prisma().signingKey.findFirstOrThrow()
    const exported = await exportProvision()
    for (const secret of [
      'argon2',
      JSON.parse(JSON.stringify(publicJwk)).x,
      Buffer.from(sealedPrivate ?? '').toString('base64'),
    ]) {
      expect(exported).not.toContain(secret)
    }
  })

  it('is for Provider admins', async () => {
    await applyText(await readFile(example, 'utf8'))
    const viewerAs = (providerRole: Viewer['providerRole'], role?: 'manager'): Viewer => ({
      userId: 'u',
      email: 'u@provider.example',
      name: null,
      providerRole,
      brandRoles: new Map(role ? [[LOOM, role]] : []),
    })
    const actor = { kind: 'user', name: 'somebody' } as const
    expect(await exportProvisionFor({ viewer: viewerAs('admin'), actor })).toBe(await exportProvision())
    for (const viewer of [viewerAs('auditor'), viewerAs(null, 'manager')]) {
      await expect(exportProvisionFor({ viewer, actor })).rejects.toThrow(ForbiddenError)
    }
  })
})

const schema = provisionSchema(options)

/** Text that YAML could take for something else, or lose a part of. */
const awkward = fc.constantFrom(
  'yes',
  'null',
  '0x1F',
  '1e3',
  '2026-10-01',
  '- a',
  'a: b #c',
  '"',
  "'",
  '&a *b',
  '%',
  '@x',
  '`',
  '! tag',
  '---',
  '...',
  '<<',
  'é\u0301 ß 🧶',
)
const word = fc.oneof(awkward, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }))
const lines = fc
  .array(fc.oneof(word, fc.constantFrom('', '  indented', 'trailing  ', '\t', '\r', '...', '# no comment')), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join('\n'))
const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' })

const tool = fc.record({
  name: fc.constantFrom('lookUp', 'refund'),
  description: lines,
  scope: fc.constantFrom('orders:read', undefined),
  changes: fc.boolean(),
  arguments: fc.record({
    type: fc.constant('object'),
    properties: fc.record({ a: fc.record({ default: json }) }),
  }),
  request: fc.constant({ method: 'GET', url: 'https://api.example/orders' }),
})

const brand = (id: string) =>
  fc.record(
    {
      id: fc.constant(id),
      name: word,
      description: lines,
      enabled: fc.boolean(),
      skills: fc.uniqueArray(
        fc.record({
          id: fc.constantFrom('a', 'b', 'c'),
          name: word,
          description: lines,
          tags: fc.array(word, { maxLength: 3 }),
        }),
        { selector: ({ id: key }) => key, maxLength: 3 },
      ),
      conversation: fc.record(
        {
          idleHours: fc.double({ min: 0.01, max: 8760, noNaN: true }),
          retentionDays: fc.integer({ min: 1, max: 100 }),
          maskedFor: fc.uniqueArray(fc.constantFrom('viewer', 'auditor', 'manager')),
          streaming: fc.boolean(),
        },
        { requiredKeys: ['idleHours'] },
      ),
      delegation: fc.record({
        login: fc.constant({
          url: 'https://brand.example/login',
          issuer: 'https://brand.example',
          jwksUri: 'https://brand.example/jwks.json',
        }),
        grantDays: fc.double({ min: 0.01, max: 3650, noNaN: true }),
        scopes: fc.constant([{ id: 'orders:read', description: 'See orders' }]),
      }),
      agent: fc.record({
        driver: fc.constant('scripted'),
        rules: fc.array(
          fc.record({
            when: fc.record({ state: word }),
            set: fc.dictionary(
              fc.constantFrom('one', 'two'),
              fc.oneof(lines, fc.boolean(), fc.constant(null), fc.integer()),
            ),
            reply: lines,
          }),
          { maxLength: 3 },
        ),
        fallback: lines,
        tools: fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 2 }),
      }),
    },
    { requiredKeys: ['id', 'name', 'description', 'delegation', 'agent'] },
  )

const provision = fc
  .record({
    provider: fc.record(
      {
        organization: word,
        audience: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
        trust: fc.constantFrom('allowlist', 'open'),
        adminsNeedSecondFactor: fc.boolean(),
        retentionDays: fc.option(fc.integer({ min: 1, max: 100 })),
      },
      { requiredKeys: ['organization', 'audience'] },
    ),
    personalAgents: fc.uniqueArray(
      fc.record({
        name: word,
        issuer: fc.constantFrom('https://a.example', 'https://b.example/pa'),
        jwksUri: fc.constant('https://a.example/jwks.json'),
        enabled: fc.boolean(),
        origin: fc.constantFrom('registered', 'discovered'),
      }),
      { selector: ({ issuer }) => issuer },
    ),
    brands: fc.tuple(brand(LOOM), brand(NORTH)),
    console: fc.constant({
      users: [
        { email: 'a@provider.example', roles: [{ provider: 'admin' }] },
        {
          email: 'b@provider.example',
          roles: [
            { brand: LOOM, role: 'manager' },
            { brand: NORTH, role: 'viewer' },
          ],
        },
      ],
    }),
  })
  // Only what the schema lets in can be stored.
  .map((value) => schema.safeParse(JSON.parse(JSON.stringify(value))))
  .filter(({ success }) => success)
  .map(({ data }) => data as NonNullable<typeof data>)

describe('any Provider', () => {
  beforeAll(openFresh)

  it('is exported, read and applied without a change', async () => {
    await fc.assert(
      fc.asyncProperty(provision, async (wanted) => {
        await applyProvision(wanted, { dryRun: false })
        const exported = await exportProvision()
        const again = read(exported)
        expect(await applyProvision(again, { dryRun: true })).toEqual([])
        expect(await applyProvision(wanted, { dryRun: true })).toEqual([])
      }),
      { numRuns: 30, interruptAfterTimeLimit: 20_000 },
    )
  })
})
