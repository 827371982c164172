import { describe, expect, it } from 'vitest'
import { mergeClaims } from './oidc-claims.ts'

const token = { sub: '1', email: 'a@corp.example', email_verified: true, groups: ['old'] }

describe('claims of the ID token and of the UserInfo endpoint', () => {
  it('the UserInfo endpoint is the newer', () => {
    expect(mergeClaims(token, undefined)).toEqual(token)
    expect(mergeClaims(token, { sub: '1', groups: ['new'] })).toEqual({ ...token, groups: ['new'] })
    expect(mergeClaims(token, { sub: '1', email_verified: false }).email_verified).toBe(false)
  })

  it('another address is not verified by the claim about the first', () => {
    const merged = mergeClaims(token, { sub: '1', email: 'b@corp.example' })
    expect(merged).toEqual({ sub: '1', email: 'b@corp.example', groups: ['old'] })
  })

  it('somebody else is refused (OpenID Connect Core §5.3.2)', () => {
    expect(() => mergeClaims(token, { sub: '2' })).toThrow(TypeError)
    expect(() => mergeClaims(token, {})).toThrow(TypeError)
  })
})
