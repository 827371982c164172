import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { expiringCache } from './expiring-cache.ts'

let time = 1_000

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout'] })
  // lru-cache reads the time off the object that it found when it was loaded.
  vi.spyOn(performance, 'now').mockImplementation(() => time)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function pass(milliseconds: number): void {
  time += milliseconds
  vi.advanceTimersByTime(milliseconds)
}

const open = (name: string) =>
  expiringCache<string>(name, { max: 100, maxSize: 50, sizeOf: (value) => value.length, ttl: 90_000 })

describe('what a process remembers for some time', () => {
  it('leaves the memory once it is too old, though nobody asks for it', () => {
    const cache = open('test-ages')
    cache.set('a', 'old')
    pass(60_000)
    cache.set('b', 'new')
    expect(cache.size).toBe(2)
    pass(60_000)
    expect(cache.size).toBe(1)
    expect(cache.get('b')).toBe('new')
  })

  it('is never more than its bound', () => {
    const cache = open('test-sizes')
    for (let n = 0; n < 20; n++) cache.set(`k${n}`, 'x'.repeat(10))
    expect(cache.size).toBe(5)
    expect(cache.get('k19')).toBe('x'.repeat(10))
    cache.set('large', 'x'.repeat(60))
    expect(cache.get('large')).toBeUndefined()
  })

  it('is one for all who name it', () => {
    open('test-names').set('a', '1')
    expect(open('test-names').get('a')).toBe('1')
  })
})
