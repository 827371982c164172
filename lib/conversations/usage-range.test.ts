import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setClock } from '#lib/platform/clock.ts'
import { rangeOfSpan, stepsOf, toUsageRange, usageRangeSchema } from './usage-range.ts'

beforeEach(() => setClock(() => Date.parse('2026-11-29T10:20:30Z')))
afterEach(() => setClock())

const show = ({ from, before, by }: ReturnType<typeof toUsageRange>) =>
  `${from.toISOString().slice(0, 13)} ${before.toISOString().slice(0, 13)} ${by}`
const ask = (query: object) => show(toUsageRange(usageRangeSchema.parse(query)))
const refused = (query: object) => usageRangeSchema.safeParse(query).error?.issues[0]?.path

describe('the range of what was used', () => {
  it('of a span ends with the present step', () => {
    expect(show(rangeOfSpan('24h'))).toBe('2026-11-28T11 2026-11-29T11 hour')
    expect(show(rangeOfSpan('7d'))).toBe('2026-11-23T00 2026-11-30T00 day')
    expect(show(rangeOfSpan('30d'))).toBe('2026-10-31T00 2026-11-30T00 day')
    const steps = stepsOf(rangeOfSpan('7d')).map((at) => at.toISOString().slice(0, 10))
    expect([steps.length, steps[0], steps.at(-1)]).toEqual([7, '2026-11-23', '2026-11-29'])
  })

  it('is of whole days of UTC, both ends included', () => {
    expect(ask({})).toBe('2026-10-31T00 2026-11-30T00 day')
    expect(ask({ by: 'hour' })).toBe('2026-11-29T00 2026-11-30T00 hour')
    expect(ask({ from: '2026-11-01' })).toBe('2026-11-01T00 2026-11-30T00 day')
    expect(ask({ from: '2026-11-01', until: '2026-11-01', by: 'hour' })).toBe(
      '2026-11-01T00 2026-11-02T00 hour',
    )
    expect(ask({ from: '2027-01-01' })).toBe('2027-01-01T00 2027-01-02T00 day')
  })

  it('has an end behind its beginning, and no more steps than somebody reads', () => {
    expect(refused({ from: '2026-11-02', until: '2026-11-01' })).toEqual(['from'])
    expect(refused({ from: '2026-10-30', by: 'hour' })).toBeUndefined()
    expect(refused({ from: '2026-10-29', by: 'hour' })).toEqual(['from'])
    expect(refused({ from: '2025-10-26' })).toBeUndefined()
    expect(refused({ from: '2025-10-25' })).toEqual(['from'])
    expect(refused({ from: 'yesterday' })).toEqual(['from'])
  })
})
