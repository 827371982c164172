import { describe, expect, it } from 'vitest'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { buildVerificationUris } from './verification-uri.ts'

const brandId = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const { consentUrl } = authorizationServer(brandId)

describe('§5.3 the links to the Brand’s login', () => {
  it.each([
    ['https://brand.example/login', 'https://brand.example/login?return_to='],
    ['https://brand.example/login?a=b%20c', 'https://brand.example/login?a=b%20c&return_to='],
    ['https://brand.example', 'https://brand.example/?return_to='],
  ])('of %s keep its own query and carry the consent URL', (loginUrl, beginning) => {
    const links = buildVerificationUris(brandId, loginUrl, 'WDJB-MJHT')
    expect(links).toEqual({
      verificationUri: beginning + encodeURIComponent(consentUrl),
      verificationUriComplete: `${beginning}${encodeURIComponent(consentUrl)}%3Fuser_code%3DWDJB-MJHT`,
    })
    const returnTo = new URL(links.verificationUriComplete).searchParams.get('return_to')
    expect(returnTo).toBe(`${consentUrl}?user_code=WDJB-MJHT`)
  })
})
