import { describe, expect, it } from 'vitest'
import { relativeText, utcText } from './time-words.ts'

const now = Date.UTC(2026, 0, 31, 12)
const minute = 60_000

describe('time in words', () => {
  it('tells the minute in UTC', () => {
    expect(utcText('2026-01-31T12:00:59+02:00')).toBe('2026-01-31 10:00 UTC')
  })

  it.each([
    [now - 2_000, 'just now'],
    [now - 30_000, '30 seconds ago'],
    [now - 59_700, '1 minute ago'],
    [now - 3 * minute, '3 minutes ago'],
    [now + 90 * minute, 'in 2 hours'],
    [now - 24 * 60 * minute, 'yesterday'],
    [now - 70 * 24 * 60 * minute, '2 months ago'],
    [now - 800 * 24 * 60 * minute, '2 years ago'],
  ])('%d lies %s', (at, text) => {
    expect(relativeText(at, now)).toBe(text)
  })
})
