import { describe, expect, it } from 'vitest'
import {
  hashSecret,
  newDeviceCode,
  newGrantId,
  newRefreshToken,
  newUserCode,
  readUserCode,
} from './opaque-codes.ts'

describe('codes and tokens', () => {
  it('user codes have eight letters without vowels (RFC 8628 §6.1), and no two are alike', () => {
    const codes = Array.from({ length: 500 }, newUserCode)
    for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(new Set(codes).size).toBe(500)
  })

  it('user codes use every letter', () => {
    const letters = new Set(Array.from({ length: 500 }, newUserCode).join(''))
    expect(letters.size).toBe(21)
  })

  it.each(['WDJB-MJHT', 'wdjbmjht', ' wdJB mjht ', 'W-D-J-B-M-J-H-T', 'wdjb\tmjht'])(
    '%j is WDJBMJHT',
    (typed) => {
      expect(readUserCode(typed)).toBe('WDJBMJHT')
    },
  )

  it.each(['', 'WDJB-MJH', 'WDJB-MJHTX', 'WDJB-MJHA', 'WDJB_MJHT', 'ＷDJB-MJHT', 'WDJB-MJH1'])(
    '%j is none',
    (typed) => {
      expect(readUserCode(typed)).toBeUndefined()
    },
  )

  it('device codes, refresh tokens and grant ids say what they are, and are random', () => {
    expect(newDeviceCode()).toMatch(/^dc_[\w-]{43}$/)
    expect(newRefreshToken()).toMatch(/^rt_[\w-]{43}$/)
    expect(newGrantId()).toMatch(/^a2agrant_[\w-]{22}$/)
    expect(newDeviceCode()).not.toBe(newDeviceCode())
  })

  it('are stored as SHA-256', () => {
    expect(hashSecret('abc').toString('hex')).toMatch(/^ba7816bf8f01cfea/)
  })
})
