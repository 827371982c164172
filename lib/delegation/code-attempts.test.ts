import { afterEach, describe, expect, it } from 'vitest'
import { setClock } from '#lib/platform/clock.ts'
import { codeAttemptWait, countWrongCode } from './code-attempts.ts'

afterEach(() => setClock())

const tryWrong = (brandUserId: string, times: number) => {
  for (let count = 0; count < times; count++) countWrongCode('b', brandUserId)
}

describe('attempts at user codes (RFC 8628 §5.1)', () => {
  it('ten wrong ones, then a wait; a minute brings back one', () => {
    let at = 1_000_000
    setClock(() => at)
    tryWrong('jane', 9)
    expect(codeAttemptWait('b', 'jane')).toBe(0)
    tryWrong('jane', 1)
    expect(codeAttemptWait('b', 'jane')).toBe(60)
    at += 50_000
    expect(codeAttemptWait('b', 'jane')).toBeGreaterThan(0)
    at += 10_001
    expect(codeAttemptWait('b', 'jane')).toBe(0)
    tryWrong('jane', 1)
    expect(codeAttemptWait('b', 'jane')).toBeGreaterThan(0)
  })

  it('trying on does not make the wait longer', () => {
    setClock(() => 1_000_000)
    tryWrong('tom', 100)
    expect(codeAttemptWait('b', 'tom')).toBe(60)
  })

  it('count for one Brand user at one Brand', () => {
    setClock(() => 1_000_000)
    tryWrong('eve', 10)
    expect(codeAttemptWait('b', 'adam')).toBe(0)
    expect(codeAttemptWait('other', 'eve')).toBe(0)
  })
})
