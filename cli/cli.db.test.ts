import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { blankDatabase, freshDatabase } from '#e2e/harness/database.ts'
import { runPact, spawnPact } from '#e2e/harness/pact-command.ts'
import { findEmbeddedDatabase, openEmbeddedDatabase } from '#lib/platform/embedded-database.ts'

vi.setConfig({ testTimeout: 60_000 })

const root = join(import.meta.dirname, '..')
const example = join(root, 'examples/provision-example.yaml')
const LOOM = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'

let database: Awaited<ReturnType<typeof freshDatabase>>
let folder: string

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pact-cli-'))
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

const usual = () => ({
  DATABASE_URL: database.url,
  PROVIDER_URL: 'https://provider.example',
  PACT_CALLER_DIR: folder,
})

/** Runs the CLI as an operator in `folder` does. */
function pactWith(env: Record<string, string>, ...args: string[]) {
  return runPact({ ...usual(), ...env }, args)
}

const pact = (...args: string[]) => pactWith({}, ...args)

/** As a process of its own: more than one at a time, or one that starts others. */
const spawnWith = (env: Record<string, string>, ...args: string[]) => spawnPact({ ...usual(), ...env }, args)

async function provisionFile(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text)
  return name
}

describe('pact apply', () => {
  it('says what it would change, changes it, and then finds nothing to change', async () => {
    const dry = await pact('apply', example, '--dry-run')
    expect(dry).toMatchObject({ code: 0, err: '' })
    expect(dry.out).toContain('12 changes, not made: this was a dry run.')
    const first = await pact('apply', example)
    expect(first).toMatchObject({ code: 0, err: '' })
    expect(first.out).toContain(`create  brand           Loom & Thread (${LOOM})\n`)
    expect(first.out).toContain('12 changes made.')
    expect(await pact('apply', example)).toEqual({ code: 0, out: 'No changes.\n', err: '' })
  })

  it('may run in two processes at one moment: one of them applies', async () => {
    const other = await freshDatabase()
    const env = { ...usual(), DATABASE_URL: other.url }
    const outcomes = await Promise.all([
      spawnPact(env, ['apply', example]),
      spawnPact(env, ['apply', example]),
    ])
    const ends = outcomes.map(({ out }) => out.trim().split('\n').at(-1))
    expect(outcomes.map(({ code, err }) => [code, err])).toEqual([
      [0, ''],
      [0, ''],
    ])
    expect(ends.sort()).toEqual(['12 changes made.', 'No changes.'])
    await other.drop()
  })

  it('shows what an update changes, and finds a file where the operator stands', async () => {
    const text = 'provider: { organization: Renamed, audience: "urn:example:pact-provider" }\n'
    const { code, out } = await pact('apply', await provisionFile('renamed.yaml', text))
    expect({ code, out }).toEqual({
      code: 0,
      out: 'update  provider  Renamed\n    organization: "Example Provider" → "Renamed"\n1 change made.\n',
    })
  })

  it('names every fault, and applies nothing', async () => {
    const text = 'provider:\n  organization: Other\n  audiense: x\n'
    expect(await pact('apply', await provisionFile('faulty.yaml', text))).toEqual({
      code: 1,
      out: '',
      err: [
        'faulty.yaml:1:1 provider.audience: is required',
        'faulty.yaml:3:3 provider.audiense: unknown key `audiense`; did you mean `audience`?\n',
      ].join('\n'),
    })
  })

  it('names the place of what the database does not allow', async () => {
    const text = `brands:
  - id: 01M8KZK7WH6GG1FZW899RDXDQ4
    name: Taker
    description: Takes.
    domain: loomandthread.example
    agent: { driver: scripted, fallback: Hello. }
`
    expect(await pact('apply', await provisionFile('taking.yaml', text))).toEqual({
      code: 1,
      out: '',
      err: `taking.yaml:5:13 brands[0].domain: loomandthread.example is the domain of another Brand: Loom & Thread (${LOOM})\n`,
    })
  })

  it('says when there is no such file', async () => {
    expect(await pact('apply', 'missing.yaml')).toEqual({
      code: 1,
      out: '',
      err: "missing.yaml can't be read: there is no such file\n",
    })
  })
})

describe('pact pa', () => {
  const issuer = 'https://agent.example'
  const adding = ['pa', 'add', '--issuer', issuer, '--jwks-uri', `${issuer}/jwks.json`, '--name', 'Agent']

  it('registers a personal agent once', async () => {
    expect(await pact(...adding)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Registered ${issuer}`),
    })
    expect(await pact(...adding)).toEqual({
      code: 1,
      out: '',
      err: `A personal agent with the issuer ${issuer} is already registered.\n`,
    })
  })

  it('asks of its options what the provision file asks', async () => {
    const { code, err } = await pact(
      'pa',
      'add',
      '--issuer',
      'http://a.example',
      '--jwks-uri',
      'x',
      '--name',
      '',
    )
    expect(code).toBe(1)
    expect(err.split('\n')).toEqual([
      '--name must not be blank',
      '--issuer must start with https://',
      '--jwks-uri must be an absolute URL, such as https://example.com/path',
      '',
    ])
  })

  it('disables by issuer and enables by id', async () => {
    expect(await pact('pa', 'disable', issuer)).toMatchObject({ code: 0, out: `${issuer} is disabled.\n` })
    expect(await pact('pa', 'disable', issuer)).toMatchObject({
      code: 0,
      out: `${issuer} is already disabled.\n`,
    })
    const listed = JSON.parse((await pact('pa', 'list', '--json')).out)
    const agent = listed.find((each: { issuer: string }) => each.issuer === issuer)
    expect(agent).toMatchObject({ name: 'Agent', enabled: false, origin: 'registered' })
    expect(await pact('pa', 'enable', agent.id)).toMatchObject({ code: 0, out: `${issuer} is enabled.\n` })
    expect((await pact('pa', 'list')).out).toMatch(
      /^Agent {2,}https:\/\/agent\.example {2,}enabled {2}registered /m,
    )
  })

  it('says when it knows no such one', async () => {
    expect(await pact('pa', 'disable', 'https://nobody.example')).toEqual({
      code: 1,
      out: '',
      err: 'There is no personal agent with the issuer or id https://nobody.example.\n',
    })
  })
})

describe('pact brand', () => {
  it('lists Brands, with their cards’ addresses', async () => {
    const { out } = await pact('brand', 'list')
    const card = `https://provider.example/a2a/${LOOM}/.well-known/agent-card.json`
    expect(out).toContain(`Loom & Thread      ${LOOM}  enabled  loomandthread.example  ${card}\n`)
  })

  it('shows one with its card’s address, for people and for programs', async () => {
    const card = `https://provider.example/a2a/${LOOM}/.well-known/agent-card.json`
    const { out } = await pact('brand', 'show', LOOM)
    expect(out).toContain(card)
    expect(out).toContain('manager@loomandthread.example  manager')
    expect(JSON.parse((await pact('brand', 'show', LOOM, '--json')).out)).toMatchObject({
      cardUrl: card,
      scopes: [{ id: 'orders:read' }, { id: 'orders:cancel' }],
    })
  })

  it('says when there is none', async () => {
    expect(await pact('brand', 'show', 'nothing')).toMatchObject({
      code: 1,
      err: 'There is no Brand with the id nothing.\n',
    })
  })
})

describe('pact migrate', () => {
  it('is what a new database needs, and says so', async () => {
    const blank = await blankDatabase()
    const env = { DATABASE_URL: blank.url }
    expect(await spawnWith(env, 'brand', 'list')).toEqual({
      code: 1,
      out: '',
      err: 'The database is not migrated: run `npm run pact -- migrate apply`\n',
    })
    expect((await spawnWith(env, 'migrate', 'status')).out).toMatch(/_init {2,}pending$/m)
    expect((await spawnWith(env, 'migrate', 'apply')).out).toMatch(/^Applied \d+_init\.$/m)
    expect(await spawnWith(env, 'migrate', 'apply')).toEqual({ code: 0, out: 'Nothing to apply.\n', err: '' })
    expect((await spawnWith(env, 'migrate', 'status')).out).toMatch(/_init {2,}applied$/m)
    await blank.drop()
  })
})

describe('without DATABASE_URL', () => {
  it('starts the embedded database for as long as the command takes', async () => {
    const dataDir = join(folder, 'data')
    // PostgreSQL may run under an account of its own, which must reach its folder.
    await chmod(folder, 0o711)
    const env = { DATABASE_URL: '', DATA_DIR: dataDir }
    expect(await spawnWith(env, 'migrate', 'apply')).toMatchObject({ code: 0, err: '' })
    expect(await findEmbeddedDatabase(dataDir)).toBeUndefined()
    expect(await spawnWith(env, 'apply', example)).toMatchObject({ code: 0, err: '' })
    expect(await findEmbeddedDatabase(dataDir)).toBeUndefined()
  })

  it('uses the one that runs already, and leaves it running', async () => {
    const dataDir = join(folder, 'data')
    const running = await openEmbeddedDatabase(dataDir)
    const { out } = await spawnWith({ DATABASE_URL: '', DATA_DIR: dataDir }, 'brand', 'list')
    expect(out).toContain(LOOM)
    expect(await findEmbeddedDatabase(dataDir)).toBe(running.url)
    await running.stop()
  })
})

describe('what can not work is one clear line', () => {
  it.each([
    [{ DATABASE_URL: 'postgresql://localhost:1/x' }, /^The database can't be used: .*ECONNREFUSED.*\n$/],
    [{ PORT: 'high' }, /^PORT must be a whole number from 1 to 65535\n$/],
  ])('%j', async (env, line) => {
    const { code, out, err } = await spawnWith(env, 'pa', 'list')
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toMatch(line)
  })

  it('an unknown command', async () => {
    expect(await spawnWith({}, 'fly')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^error: unknown command 'fly'/),
    })
  })
})
