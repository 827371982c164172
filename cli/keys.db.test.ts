import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { runPact } from '#e2e/harness/pact-command.ts'
import { formatAge } from './keys.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const root = join(import.meta.dirname, '..')
const LOOM = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const NORTHLIGHT = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const oldMasterKey = randomBytes(32).toString('base64')
const newMasterKey = randomBytes(32).toString('base64')

let database: Awaited<ReturnType<typeof freshDatabase>>
let folder: string

type Listed = { kid: string; state: string; brandId: string }

function pactWith(env: Record<string, string>, ...args: string[]) {
  const usual = { NODE_ENV: 'production', DATABASE_URL: database.url, PACT_CALLER_DIR: folder }
  return runPact({ ...usual, PACT_MASTER_KEY: oldMasterKey, ...env }, args)
}

const pact = (...args: string[]) => pactWith({}, ...args)
async function query(text: string): Promise<Listed[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query<Listed>(text)
  await client.end()
  return rows
}

const listed = () => query('SELECT "id" AS "kid", "state", "brandId" FROM "SigningKey"')
const activeKid = async () => (await listed()).find(({ state }) => state === 'active')?.kid ?? ''
const apply = (env: Record<string, string>) =>
  pactWith(env, 'apply', join(root, 'examples/provision-example.yaml'))

beforeAll(async () => {
  database = await freshDatabase()
  folder = await mkdtemp(join(tmpdir(), 'pact-keys-'))
})

afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true })
})

describe('pact keys', () => {
  it('begins with one active key for each Brand with delegation, made with the Brand', async () => {
    const refused = await apply({ PACT_MASTER_KEY: '' })
    expect(refused).toMatchObject({ code: 1, out: 'Running the check of Loom & Thread …\n' })
    expect(refused.err).toMatch(/^PACT_MASTER_KEY is not set: .*\n$/)
    expect(await apply({})).toMatchObject({ code: 0, err: '' })
    expect(await listed()).toMatchObject([{ brandId: LOOM, state: 'active' }])
    expect((await pact('keys', 'list')).out).toMatch(
      /^BRAND .*VERIFIES\nLoom & Thread .* active {2}0 minutes {2}signs: /,
    )
  })

  it('prints nothing of a private key', async () => {
    const { out } = await pact('keys', 'list', '--json')
    expect(JSON.parse(out)).toMatchObject([{ brandId: LOOM, brandName: 'Loom & Thread', state: 'active' }])
    expect(out).not.toMatch(/seal|private|"d"/i)
  })

  it('rotates in two steps, and says when the second may be', async () => {
    const first = await activeKid()
    const published = await pact('keys', 'rotate', LOOM)
    expect(published).toMatchObject({ code: 0, err: '' })
    expect(published.out).toMatch(
      /^New key (\S+) is published, and does not sign yet\.\nKey \1 may sign from \S+Z: /,
    )
    expect((await pact('keys', 'rotate', LOOM)).out).toMatch(/^Key \S+ may sign from /)
    expect(await activeKid()).toBe(first)
    await query(`UPDATE "SigningKey" SET "createdAt" = "createdAt" - interval '311 seconds'`)
    expect((await pact('keys', 'rotate', LOOM)).out).toMatch(
      /^Key \S+ signs no more, and still verifies what it signed\.\nKey \S+ signs now\.\n$/,
    )
    expect(await activeKid()).not.toBe(first)
  })

  it('rotates at once in an emergency', async () => {
    const { code, out } = await pact('keys', 'rotate', LOOM, '--now')
    expect(code).toBe(0)
    expect(out).toMatch(/New key \S+ signs now\.\nWhoever has a copy/)
  })

  it('retires none that is needed, and ends a compromised one', async () => {
    const kid = await activeKid()
    expect(await pact('keys', 'retire', kid)).toEqual({
      code: 1,
      out: '',
      err: `The signing key ${kid} is active, and no other may sign yet: run \`pact keys rotate\` first.\n`,
    })
    const { out } = await pact('keys', 'compromise', kid)
    expect(out).toMatch(/^Key \S+ is compromised: .*\nNew key \S+ signs now\.\n$/)
    expect(await pact('keys', 'compromise', kid)).toMatchObject({
      code: 1,
      err: `The signing key ${kid} is compromised already.\n`,
    })
    const retired = (await listed()).find(({ state }) => state === 'retired')?.kid ?? ''
    expect((await pact('keys', 'retire', retired)).err).toMatch(
      /is still needed: tokens that it signed are valid until/,
    )
  })

  it('names what it does not know', async () => {
    expect((await pact('keys', 'rotate', 'nothing')).err).toBe('There is no Brand with the id nothing.\n')
    expect((await pact('keys', 'rotate', NORTHLIGHT)).err).toBe(
      'Northlight Energy has no delegation: nothing is signed for it.\n',
    )
    expect((await pact('keys', 'retire', 'nothing')).err).toBe(
      'There is no signing key nothing: see `pact keys list`.\n',
    )
  })

  it('seals under a new master key, with the former in the environment or in a file', async () => {
    const renewed = { PACT_MASTER_KEY: newMasterKey }
    expect((await pactWith(renewed, 'keys', 'rewrap')).err).toMatch(
      /^The signing key \S+ is sealed under another/,
    )
    await writeFile(join(folder, 'former'), `${oldMasterKey}\n`)
    expect((await pactWith(renewed, 'keys', 'rewrap', '--previous-file', 'former')).out).toBe(
      '1 sealed under the present master key, 0 were already.\n',
    )
    const back = { PACT_MASTER_KEY: oldMasterKey, PACT_MASTER_KEY_PREVIOUS: newMasterKey }
    expect((await pactWith(back, 'keys', 'rewrap')).out).toBe(
      '1 sealed under the present master key, 0 were already.\n',
    )
  })
})

describe('an age', () => {
  it.each([
    [0, '0 minutes'],
    [-5, '0 minutes'],
    [60_000, '1 minute'],
    [3_599_999, '59 minutes'],
    [3_600_000, '1 hour'],
    [86_399_999, '23 hours'],
    [172_800_000, '2 days'],
  ])('of %d milliseconds is %s', (milliseconds, text) => {
    expect(formatAge(milliseconds)).toBe(text)
  })
})
