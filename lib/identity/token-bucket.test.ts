import { describe, expect, it } from 'vitest'
import { levelNow, waitFor } from './token-bucket.ts'

const bucket = { requests: 10, perSeconds: 2 }

describe('token bucket', () => {
  it('starts full', () => {
    expect(levelNow(bucket, undefined, 0)).toBe(10)
  })

  it('refills at its rate and never beyond its size', () => {
    expect(levelNow(bucket, { tokens: 0, at: 1_000 }, 1_200)).toBe(1)
    expect(levelNow(bucket, { tokens: 4, at: 1_000 }, 2_000)).toBe(9)
    expect(levelNow(bucket, { tokens: 4, at: 1_000 }, 60_000)).toBe(10)
  })

  it('loses nothing when the clock is set back', () => {
    expect(levelNow(bucket, { tokens: 4, at: 60_000 }, 1_000)).toBe(4)
  })

  it('says how long until it can give one', () => {
    expect(waitFor(bucket, 1)).toBe(0)
    expect(waitFor(bucket, 0)).toBe(200)
    expect(waitFor(bucket, 0.5)).toBe(100)
  })
})
