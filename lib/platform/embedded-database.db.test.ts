import { chmod, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEmbeddedDatabase } from './embedded-database.ts'
import { findPostmaster } from './postmaster-pid.ts'

let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pact-provider-embedded-'))
  // PostgreSQL may run under an account of its own, which must reach its folder.
  await chmod(folder, 0o711)
  dataDir = join(folder, 'data')
})

afterAll(() => rm(folder, { recursive: true, force: true }))

describe('the embedded database', { timeout: 60_000 }, () => {
  it('is left alone by a start through another spelling of its folder, and reports its end once', async () => {
    let lost = 0
    const running = await openEmbeddedDatabase(dataDir, () => lost++)
    const link = join(folder, 'link')
    await symlink(dataDir, link)
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
    const before = await readFile(pidFile, 'utf8')
    await expect(openEmbeddedDatabase(link)).rejects.toThrow('runs with the data in')
    expect(await readFile(pidFile, 'utf8')).toBe(before)
    expect(lost).toBe(0)
    const server = await findPostmaster(join(link, 'postgres'))
    if (server) process.kill(server.pid, 'SIGINT')
    await expect.poll(() => lost, { timeout: 10_000 }).toBe(1)
    await running.stop()
    expect(lost).toBe(1)
  })

  it('is stopped again when it was launched in vain, and never gets another password', async () => {
    const file = join(dataDir, 'database-password')
    await rename(file, `${file}.kept`)
    await expect(openEmbeddedDatabase(dataDir)).rejects.toThrow(/database-password is missing.*restore it/)
    await writeFile(file, 'wrong')
    await expect(openEmbeddedDatabase(dataDir)).rejects.toThrow("can't be used")
    expect(await findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
  })

  it.each(['/dev/null', '/dev/null/x', '/proc/x/y'])('refuses %s in one line', async (path) => {
    await expect(openEmbeddedDatabase(path)).rejects.toThrow(/^DATA_DIR \S+ can't be used: .*$/)
  })
})
