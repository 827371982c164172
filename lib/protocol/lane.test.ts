import { describe, expect, it } from 'vitest'
import { isProtocolTarget } from './lane.ts'

describe('the protocol lane', () => {
  it.each([
    '/a2a/',
    '/a2a/B/message:send',
    '/a2a/B/oauth/token',
    '/a2a/B/oauth/consenting',
    '/a2a/B/oauth/jwks.json?x=/oauth/consent',
    '/a2a/?/oauth/consent',
    '/.well-known/oauth-authorization-server/a2a/B/oauth',
  ])('takes %s', (target) => {
    expect(isProtocolTarget(target)).toBe(true)
  })

  it.each([
    '/a2a/B/oauth/consent',
    '/a2a/B/oauth/consent?user_code=WDJB-MJHT',
    '/a2a/B/oauth/consent/grants',
    '/consent/B',
    '/.well-known/openid-configuration',
    '/',
    '/x/a2a/B/tasks',
  ])('leaves %s to the pages', (target) => {
    expect(isProtocolTarget(target)).toBe(false)
  })
})
