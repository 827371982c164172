import { afterEach, describe, expect, it } from 'vitest'
import { setClock } from '#lib/platform/clock.ts'
import { takeCodeAttempt } from './code-attempts.ts'

afterEach(() => setClock())

/** How long each of so many attempts has to wait; 0 for those that may be made. */
const attempt = (brandUserId: string, times = 1, brandId = 'b') =>
  Array.from({ length: times }, () => {
    const attempt = takeCodeAttempt({ brandId, brandUserId })
    return attempt.ok ? 0 : attempt.wait
  })

describe('attempts at user codes (RFC 8628 §5.1)', () => {
  it('ten, then a wait; a minute brings back one', () => {
    let at = 1_000_000
    setClock(() => at)
    expect(attempt('jane', 11)).toEqual([...Array(10).fill(0), 60])
    at += 50_000
    expect(attempt('jane')).toEqual([10])
    at += 10_001
    expect(attempt('jane', 2)).toEqual([0, 60])
  })

  it('trying on does not make the wait longer', () => {
    setClock(() => 1_000_000)
    expect(attempt('tom', 100).at(-1)).toBe(60)
  })

  it('are given back for codes that exist, and never more than ten', () => {
    setClock(() => 2_000_000)
    for (let count = 0; count < 50; count++) {
      const taken = takeCodeAttempt({ brandId: 'b', brandUserId: 'ida' })
      if (!taken.ok) throw new Error('refused')
      taken.giveBack()
    }
    expect(attempt('ida', 11).filter((wait) => wait > 0)).toHaveLength(1)
  })

  it('count for one Brand user at one Brand', () => {
    setClock(() => 1_000_000)
    attempt('eve', 10)
    expect(attempt('adam')).toEqual([0])
    expect(attempt('eve', 1, 'other')).toEqual([0])
    expect(attempt('eve')).toEqual([60])
  })

  it('sixty from one network address, whoever is logged in and wherever', () => {
    setClock(() => 1_000_000)
    let users = 0
    const from = (address: string) =>
      takeCodeAttempt({ brandId: `b${users % 3}`, brandUserId: `guesser-${users++}`, address })
    const tried = Array.from({ length: 61 }, (_, n) => from(`2001:db8:1:2::${n}`))
    expect(tried.filter(({ ok }) => ok)).toHaveLength(60)
    expect(tried.at(-1)).toEqual({ ok: false, wait: 10 })
    expect(from('2001:db8:1:3::1').ok).toBe(true)
    for (const attempt of tried) if (attempt.ok) attempt.giveBack()
    expect(from('2001:db8:1:2::1').ok).toBe(true)
  })

  it('an address that has none left takes none of its users’', () => {
    setClock(() => 1_000_000)
    const address = '192.0.2.1'
    for (let user = 0; user < 60; user++)
      takeCodeAttempt({ brandId: 'b', brandUserId: `many-${user}`, address })
    expect(takeCodeAttempt({ brandId: 'b', brandUserId: 'one', address }).ok).toBe(false)
    expect(attempt('one', 11).filter((wait) => wait === 0)).toHaveLength(10)
  })
})
