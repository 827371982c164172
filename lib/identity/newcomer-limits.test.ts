import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeNewcomerPlace } from './newcomer-limits.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** How many of `count` issuers at one origin are let in. */
async function admitted(origin: string, count: number) {
  let places = 0
  for (let n = 0; n < count; n++) if (await takeNewcomerPlace(`${origin}/${n}`)) places++
  return places
}

describe('§3.1, open trust policy: how many strangers are recorded', () => {
  it('five a minute and origin, sixty a minute in all', async () => {
    expect(await admitted('https://a.example.com', 100)).toBe(5)
    let others = 0
    for (let n = 0; n < 30; n++) others += await admitted(`https://b-${n}.example.com`, 3)
    expect(others).toBe(55)
    vi.advanceTimersByTime(60_001)
    expect(await admitted('https://a.example.com', 100)).toBe(5)
  })
})
