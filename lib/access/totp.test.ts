import { describe, expect, it } from 'vitest'
import { findTotpStep, offeredTotpSecret, totpUri } from './totp.ts'

/** RFC 6238, appendix B: the secret `12345678901234567890`. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of an authenticator app', () => {
  it('are those of RFC 6238, a step early or late, and no others', () => {
    const at = 59_000
    expect(findTotpStep(secret, '287082', at)).toBe(1n)
    expect(findTotpStep(secret, '287 082', at + 30_000)).toBe(1n)
    expect(findTotpStep(secret, '287082', at - 30_000)).toBe(1n)
    expect(findTotpStep(secret, '287082', at + 60_000)).toBeUndefined()
    for (const wrong of ['', '287083', '28708', '2870822', 'abcdef']) {
      expect(findTotpStep(secret, wrong, at)).toBeUndefined()
    }
  })

  it('come from a secret that stays during a set-up, and from another after it', () => {
    const session = { userId: 'u', sessionId: 's', lastStep: null }
    const offered = offeredTotpSecret('secret', session)
    expect(offered).toMatch(/^[A-Z2-7]{32}$/)
    expect(offeredTotpSecret('secret', session)).toBe(offered)
    const others = [{ lastStep: 1n }, { sessionId: 't' }, { userId: 'v' }]
    for (const other of others)
      expect(offeredTotpSecret('secret', { ...session, ...other })).not.toBe(offered)
  })

  it('are set up by an address that names organization and account', () => {
    const uri = new URL(totpUri(secret, { issuer: 'A: B', account: 'x@provider.example' }))
    expect(uri.protocol + uri.host).toBe('otpauth:totp')
    expect(uri.searchParams.get('secret')).toBe(secret)
    expect(uri.searchParams.get('issuer')).toBe('A  B')
  })
})
