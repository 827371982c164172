import { describe, expect, it } from 'vitest'
import { findClaimFault, readIssuer } from './token-claims.ts'

const audience = 'urn:example:provider'
const now = 1_800_000_000

describe('§3.2: the claims', () => {
  it.each([
    [undefined, {}],
    ['audience', { aud: undefined }],
    ['audience', { aud: 'other' }],
    ['audience', { aud: `${audience} ` }],
    ['audience', { aud: [audience] }],
    ['audience', { aud: { 0: audience } }],
    ['issued_at', { iat: undefined }],
    ['issued_at', { iat: null }],
    ['issued_at', { iat: String(now) }],
    ['issued_at', { iat: Number.POSITIVE_INFINITY }],
    ['issued_in_future', { iat: now + 31 }],
    ['issued_in_future', { iat: now + 30.5 }],
    [undefined, { iat: now + 30 }],
    ['expiry', { exp: undefined }],
    ['expiry', { exp: true }],
    ['expiry', { exp: String(now + 60) }],
    ['expiry', { exp: Number.POSITIVE_INFINITY }],
    ['expired', { iat: now - 100, exp: now - 30 }],
    [undefined, { iat: now - 100, exp: now - 29 }],
    ['lifetime', { exp: now + 301 }],
    ['lifetime', { iat: now - 200, exp: now + 101 }],
    [undefined, { exp: now + 300 }],
    ['lifetime', { iat: now + 20, exp: now + 20 }],
    ['lifetime', { iat: now + 20, exp: now + 10 }],
    [undefined, { iat: now + 0.25, exp: now + 60.5 }],
    ['not_yet_valid', { nbf: now + 31 }],
    ['not_yet_valid', { nbf: 'soon' }],
    ['not_yet_valid', { nbf: null }],
    [undefined, { nbf: now + 30 }],
    ['subject', { sub: undefined }],
    ['subject', { sub: null }],
    ['subject', { sub: '' }],
    ['subject', { sub: 1 }],
    ['subject', { sub: ['user-1'] }],
    [undefined, { sub: 'x'.repeat(255) }],
    ['subject', { sub: 'x'.repeat(256) }],
    ['subject', { sub: 'a\u0000b' }],
    ['subject', { sub: '\ud800' }],
    [undefined, { jti: 'j', anything: { else: [1] } }],
  ])('%s: %o', (fault, changes) => {
    const claims = { sub: 'user-1', aud: audience, iat: now, exp: now + 120, ...changes }
    expect(findClaimFault(claims, audience, now)).toBe(fault)
  })

  it.each([undefined, 1, null, '', ['https://pa.example.com'], 'a\u0000', '\udfff', 'x'.repeat(2049)])(
    'iss %j can be nobody’s',
    (iss) => {
      expect(readIssuer({ iss })).toBeUndefined()
    },
  )
})
