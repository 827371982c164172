import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { revisionCache } from './revision-cache.ts'

let loads: string[]
let present: Set<string>
let waiting: (() => void)[]
let run = 0
let cached: ReturnType<typeof revisionCache<string>>

databaseOfThisFile()
beforeEach(() => {
  loads = []
  waiting = []
  present = new Set(['real'])
  cached = revisionCache<string>(`test-${run++}`, async (key) => {
    loads.push(key)
    const answer = present.has(key) ? key : undefined
    if (key === 'slow') await new Promise<void>((resolve) => waiting.push(resolve))
    return answer
  })
})

describe('the revision cache', () => {
  it('asks once for what is there and once for what is not', async () => {
    for (let n = 0; n < 3; n++) {
      expect(await Promise.all([cached('real'), cached('real')])).toEqual(['real', 'real'])
      expect(await cached('absent')).toBeUndefined()
    }
    expect(loads).toEqual(['real', 'absent'])
  })

  it('keeps what is there, however many that are not there are asked for', async () => {
    await cached('real')
    for (let n = 0; n < 12_000; n++) await cached(`absent-${n}`)
    await cached('real')
    expect(loads.filter((key) => key === 'real')).toHaveLength(1)
    await cached('absent-11999')
    expect(loads).toHaveLength(12_001)
    await cached('absent-10000')
    expect(loads).toHaveLength(12_002)
  })

  it('asks again for a key that it was made to forget, even while an older answer is on its way', async () => {
    const late = cached('slow')
    await expect.poll(() => waiting.length).toBe(1)
    present.add('slow')
    cached.forget('slow')
    const next = cached('slow')
    await expect.poll(() => waiting.length).toBe(2)
    for (const finish of waiting) finish()
    expect(await late).toBeUndefined()
    expect(await next).toBe('slow')
    expect(await cached('slow')).toBe('slow')
    expect(loads).toHaveLength(2)
  })
})
