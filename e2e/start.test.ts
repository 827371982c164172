import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { spawnPact } from './harness/pact-command.ts'
import { findUnusedPort, occupyPort, runStart, signalGroup } from './harness/start.ts'

const root = join(import.meta.dirname, '..')

let folder: string
let env: Record<'PORT' | 'DATA_DIR' | 'DEMO_BRAND_PORT' | 'DEMO_MODEL_PORT' | 'DEMO_BOT_PORT', string>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pact-start-'))
  env = {
    PORT: String(await findUnusedPort()),
    DATA_DIR: join(folder, 'data'),
    DEMO_BRAND_PORT: String(await findUnusedPort()),
    DEMO_MODEL_PORT: String(await findUnusedPort()),
    DEMO_BOT_PORT: String(await findUnusedPort()),
  }
})

afterEach(() => rm(folder, { recursive: true }))

/** Starts it, expects it to give up with status 1, and returns all that it printed. */
async function expectRefusal(more: Record<string, string>, args: string[] = []): Promise<string> {
  const started = runStart({ ...env, ...more }, args)
  expect(await started.ended).toBe(1)
  expect(started.output.stdout).toBe('')
  return started.output.stderr
}

function serverUrl(change: (url: URL) => void): string {
  const url = new URL(process.env.TEST_DATABASE_SERVER ?? '')
  change(url)
  return url.href
}

const postmaster = () => join(env.DATA_DIR, 'postgres', 'postmaster.pid')
const databaseLog = () => readFile(join(env.DATA_DIR, 'postgres.log'), 'utf8')

async function waitUntil(condition: () => boolean): Promise<void> {
  for (let waited = 0; waited < 200 && !condition(); waited++) await sleep(100)
}

describe('npm start refuses in one line, and starts nothing', () => {
  it('a port in use', async () => {
    const { port, server } = await occupyPort()
    const message = await expectRefusal({ PORT: String(port) })
    server.close()
    expect(message).toBe(`Port ${port} is in use: stop what runs there, or set PORT to another\n`)
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })

  it('a port in use where the demo Brand belongs', async () => {
    const { port, server } = await occupyPort()
    const message = await expectRefusal({ DEMO_BRAND_PORT: String(port) })
    server.close()
    expect(message).toMatch(new RegExp(`^Port ${port}, for the demo Brand, is in use: [^\\n]+\\n$`))
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })

  it('a variable that is wrong', async () => {
    expect(await expectRefusal({ PORT: 'abc' })).toBe('PORT must be a whole number from 1 to 65535\n')
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })

  it('a master key that is none, without printing it', async () => {
    expect(await expectRefusal({ PACT_MASTER_KEY: 'hunter2' })).toMatch(
      /^PACT_MASTER_KEY must be 32 bytes in base64, (?!.*hunter2)[^\n]+\n$/,
    )
  })

  it('a flag that it does not know', async () => {
    expect(await expectRefusal({}, ['--frobnicate'])).toMatch(
      /^Unknown option '--frobnicate'. Usage: [^\n]+\n$/,
    )
  })

  it('a database that nothing answers for, without printing the password', async () => {
    const port = await findUnusedPort()
    const message = await expectRefusal({ DATABASE_URL: `postgresql://me:hunter2@127.0.0.1:${port}/pact` })
    expect(message).toBe(
      `Nothing answers at 127.0.0.1:${port}: start the database, or correct DATABASE_URL\n`,
    )
  })

  it('a wrong password', async () => {
    const DATABASE_URL = serverUrl((url) => {
      url.password = 'hunter2'
    })
    const message = await expectRefusal({ DATABASE_URL })
    expect(message).toMatch(/^The database at \S+ refuses the user "pact": [^\n]+\n$/)
    expect(message).not.toContain('hunter2')
  })

  it('a database that does not exist', async () => {
    const DATABASE_URL = serverUrl((url) => {
      url.pathname = '/absent'
    })
    expect(await expectRefusal({ DATABASE_URL })).toMatch(
      /^The database "absent" does not exist at [^\n]+\n$/,
    )
  })

  it('a provision file with a fault, by file, line and field', async () => {
    const file = join(folder, 'provision.yaml')
    await writeFile(file, 'provider:\n  organisation: Example\n')
    const message = await expectRefusal({}, ['--provision', file])
    expect(message).toContain(`${file}:2`)
    expect(existsSync(env.DATA_DIR)).toBe(false)
  })
})

describe('npm start serves until it is stopped', () => {
  it('Ctrl-C stops all of it, and leaves the database clean', { timeout: 240_000 }, async () => {
    const first = runStart(env)
    await first.serving
    expect((await fetch(`http://localhost:${env.PORT}/`)).status).toBe(200)
    expect((await fetch(`http://localhost:${env.DEMO_BRAND_PORT}/.well-known/jwks.json`)).status).toBe(200)
    signalGroup(first, 'SIGINT')
    expect(await first.ended).toBe(0)
    expect(first.output.stderr).toBe('')
    expect(existsSync(postmaster())).toBe(false)
    await expect(fetch(`http://localhost:${env.PORT}/`)).rejects.toThrow()
    await expect(fetch(`http://localhost:${env.DEMO_BRAND_PORT}/`)).rejects.toThrow()

    const second = runStart(env, ['--no-demo'])
    await second.serving
    // Only the process that npm knows gets the signal.
    second.child.kill('SIGTERM')
    expect(await second.ended).toBe(0)
    expect(existsSync(postmaster())).toBe(false)
    expect(await databaseLog()).not.toContain('not properly shut down')
  })

  it('what was changed since the demo was set up is still so after another start', {
    timeout: 240_000,
  }, async () => {
    const first = runStart(env)
    await first.serving
    const { audience } = parse(await readFile(join(root, 'examples/demo.yaml'), 'utf8')).provider
    const file = join(folder, 'renamed.yaml')
    await writeFile(file, stringify({ provider: { organization: 'Renamed since', audience } }))
    expect(await spawnPact(env, ['apply', file])).toMatchObject({ code: 0 })
    signalGroup(first, 'SIGINT')
    await first.ended
    const second = runStart(env)
    await second.serving
    expect(second.output.stdout).toContain("The demo's Brands are as they were left")
    const exported = await spawnPact(env, ['export'])
    expect(exported.out).toContain('organization: Renamed since')
    signalGroup(second, 'SIGINT')
    expect(await second.ended).toBe(0)
  })

  it('a second start with the same data says so; killed, the next takes over', {
    timeout: 240_000,
  }, async () => {
    const first = runStart(env, ['--no-demo'])
    await first.serving
    const PORT = String(await findUnusedPort())
    const message = await runStart({ ...env, PORT })
    expect(await message.ended).toBe(1)
    expect(message.output.stderr).toMatch(/^A Provider runs with the data in [^\n]+\n$/)
    expect((await fetch(`http://localhost:${env.PORT}/`)).status).toBe(200)

    signalGroup(first, 'SIGKILL')
    await first.ended
    expect(existsSync(postmaster())).toBe(true)
    const next = runStart(env, ['--no-demo'])
    await next.serving
    signalGroup(next, 'SIGINT')
    expect(await next.ended).toBe(0)
    expect(existsSync(postmaster())).toBe(false)
  })

  it('it ends when the process that npm started is killed', { timeout: 240_000 }, async () => {
    const started = runStart(env)
    await started.serving
    started.child.kill('SIGKILL')
    await waitUntil(() => !existsSync(postmaster()))
    expect(existsSync(postmaster())).toBe(false)
    await expect(fetch(`http://localhost:${env.DEMO_BRAND_PORT}/`)).rejects.toThrow()
  })
})
