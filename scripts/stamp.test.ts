import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashSources, makeUnlessCurrent } from './stamp.js'

let folder: string
const hash = (more: string[] = []) => hashSources(folder, ['source', 'single.txt', 'missing'], more)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stamp-'))
  mkdirSync(join(folder, 'source'))
  writeFileSync(join(folder, 'source', 'a.ts'), 'a')
  writeFileSync(join(folder, 'single.txt'), 'x')
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('the hash of sources', () => {
  it('stays the same while nothing changes', () => {
    expect(hash()).toBe(hash())
  })

  it('differs after a change of content, of a name, of a version', () => {
    const before = hash()
    expect(hash(['2.0.0'])).not.toBe(before)
    writeFileSync(join(folder, 'source', 'a.ts'), 'b')
    const changed = hash()
    expect(changed).not.toBe(before)
    writeFileSync(join(folder, 'source', 'empty.ts'), '')
    expect(hash()).not.toBe(changed)
  })

  it('does not know tests', () => {
    const before = hash()
    writeFileSync(join(folder, 'source', 'a.test.ts'), 'b')
    expect(hash()).toBe(before)
  })
})

describe('what has a stamp', () => {
  const stamp = () => join(folder, 'made', 'stamp')

  it('is made once for one hash, and again for another', async () => {
    let made = 0
    const make = async () => {
      made++
    }
    expect(await makeUnlessCurrent(stamp(), 'one', make)).toBe(true)
    expect(await makeUnlessCurrent(stamp(), 'one', make)).toBe(false)
    expect(await makeUnlessCurrent(stamp(), 'two', make)).toBe(true)
    expect(made).toBe(2)
  })

  it('is made again after making it failed', async () => {
    await makeUnlessCurrent(stamp(), 'one', async () => {})
    const fail = () => Promise.reject(new Error('broken'))
    await expect(makeUnlessCurrent(stamp(), 'two', fail)).rejects.toThrow('broken')
    expect(await makeUnlessCurrent(stamp(), 'one', async () => {})).toBe(true)
  })
})
