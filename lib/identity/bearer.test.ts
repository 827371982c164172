import { describe, expect, it } from 'vitest'
import { readBearerToken } from './bearer.ts'

const token = 'eyJh.eyJp.c2ln'

function verdict(authorization: string | null) {
  const read = readBearerToken(authorization)
  return read.ok ? read.token : read.reason
}

describe('§3.2: the Authorization header', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('names its scheme without case: %s', (scheme) => {
    expect(verdict(`${scheme} ${token}`)).toBe(token)
    expect(verdict(`${scheme}   ${token}`)).toBe(token)
  })

  it.each([null, '', 'Bearer', 'Bearer ', 'Basic dTpw', `Bearerx ${token}`, `Bearer\t${token}`, token])(
    '%j holds no bearer token',
    (authorization) => {
      expect(verdict(authorization)).toBe('no_token')
    },
  )

  it.each([
    'Bearer a',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Bearer a.b.c.d.e',
    'Bearer ..',
    'Bearer a.b.',
    'Bearer a.b.c=',
    'Bearer a.b.c+',
    `Bearer ${token} ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer "${token}"`,
  ])('%s is malformed', (authorization) => {
    expect(verdict(authorization)).toBe('malformed')
  })

  it('is read up to 8 KiB', () => {
    const fill = (length: number) => `Bearer a.b.${'c'.repeat(length - 11)}`
    expect(verdict(fill(8192))).toHaveLength(8185)
    expect(verdict(fill(8193))).toBe('malformed')
  })
})
