import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withSetupLock } from './setup-lock.js'

const folder = mkdtempSync(join(tmpdir(), 'setup-lock-'))
const path = join(folder, 'lock')

afterAll(() => rmSync(folder, { recursive: true }))

describe('the lock around installing, generating and building', () => {
  it('lets one in at a time, and is gone afterwards', async () => {
    let inside = 0
    const work = async () => {
      inside += 1
      expect(inside).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 50))
      inside -= 1
    }
    await Promise.all([withSetupLock(work, { path }), withSetupLock(work, { path })])
    expect(existsSync(path)).toBe(false)
  })

  it('of a process that died holds nobody up, nor does one whose number another process has', async () => {
    for (const text of ['999999999 1', `${process.pid} 1`]) {
      writeFileSync(path, text)
      expect(await withSetupLock(async () => 'done', { path })).toBe('done')
    }
  })
})
