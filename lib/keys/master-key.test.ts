import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { config, readConfig } from '#lib/platform/config.ts'
import { forgetMasterKey, getMasterKey, listMasterKeys, MasterKeyError } from './master-key.ts'

const root = join(import.meta.dirname, '../..')
const given = Buffer.alloc(32, 7)
const inEnvironment = given.toString('base64')
const production = { NODE_ENV: 'production', DATABASE_URL: 'postgresql://localhost/pact' }

let folder: string
const before = { ...config() }

function configure(environment: Record<string, string>): void {
  Object.assign(config(), readConfig({ DATA_DIR: folder, ...environment }))
  forgetMasterKey()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pact-master-key-'))
})

afterEach(async () => {
  Object.assign(config(), before)
  forgetMasterKey()
  await rm(folder, { recursive: true })
})

describe('the master key', () => {
  it('is PACT_MASTER_KEY, and then no file is made', async () => {
    configure({ PACT_MASTER_KEY: inEnvironment })
    expect(await getMasterKey()).toEqual(given)
    expect(await readdir(folder)).toEqual([])
  })

  it('is made in DATA_DIR where the data is too, for its owner alone, and stays', async () => {
    configure({ DATA_DIR: join(folder, 'deeper') })
    const made = await getMasterKey()
    const file = join(folder, 'deeper', 'master-key')
    expect(made.length).toBe(32)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, 'deeper'))).toEqual(['master-key'])
    forgetMasterKey()
    expect(await getMasterKey()).toEqual(made)
  })

  it('must be given in production with a database of one’s own', async () => {
    configure(production)
    await expect(getMasterKey()).rejects.toThrow(MasterKeyError)
    await expect(getMasterKey()).rejects.toThrow(/^PACT_MASTER_KEY is not set: .*$/)
    expect(await readdir(folder)).toEqual([])
  })

  it('may be in DATA_DIR with a database of one’s own in a trial', async () => {
    configure({ DATABASE_URL: production.DATABASE_URL })
    expect((await getMasterKey()).length).toBe(32)
  })

  it('is joined by PACT_MASTER_KEY_PREVIOUS for opening', async () => {
    const previous = Buffer.alloc(32, 9)
    configure({ PACT_MASTER_KEY: inEnvironment, PACT_MASTER_KEY_PREVIOUS: previous.toString('base64') })
    expect(await listMasterKeys()).toEqual([given, previous])
  })

  it.each([
    'short',
    Buffer.alloc(31).toString('base64'),
    `${'A'.repeat(42)}!`,
    Buffer.alloc(33).toString('base64'),
  ])('is not %s', (text) => {
    expect(() => readConfig({ PACT_MASTER_KEY: text })).toThrow(
      'PACT_MASTER_KEY must be 32 bytes in base64, as `openssl rand -base64 32` makes them',
    )
  })

  it('in a file that holds none is one clear line', async () => {
    configure({})
    await writeFile(join(folder, 'master-key'), 'nothing\n')
    await expect(getMasterKey()).rejects.toThrow(
      /^The master key in .*master-key must be 32 bytes in base64.*$/,
    )
  })

  it('is one, whichever of several processes comes first', async () => {
    const program = `import { getMasterKey } from '#lib/keys/master-key.ts'
      console.log((await getMasterKey()).toString('base64'))`
    const run = () =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
          cwd: root,
          env: { PATH: process.env.PATH ?? '', NODE_ENV: 'test', DATA_DIR: folder },
        })
        let out = ''
        child.stdout.on('data', (data) => {
          out += data
        })
        child.once('close', () => resolve(out))
      })
    const outputs = await Promise.all([run(), run(), run(), run()])
    const stored = await readFile(join(folder, 'master-key'), 'utf8')
    expect(outputs).toEqual([stored, stored, stored, stored])
  })
})
