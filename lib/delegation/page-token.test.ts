import { describe, expect, it } from 'vitest'
import { derivePageSecret, formatPageToken, isPageSecret, pagePurpose, readPageToken } from './page-token.ts'

const page = { authorizationId: '6940b743-51f3-4f55-9746-a7b4bbfabd16', digest: 'd'.repeat(43) }
const secret = derivePageSecret('session', pagePurpose(page))

describe('the hidden field of a consent page', () => {
  it('is read as it was written', () => {
    expect(readPageToken(formatPageToken(page, secret))).toEqual({ page, secret })
  })

  it.each(['', 'x', `${page.authorizationId}.${page.digest}`, `${formatPageToken(page, secret)}.x`, 'a.b.c'])(
    '%j is none',
    (text) => {
      expect(readPageToken(text)).toBeUndefined()
    },
  )

  it('is good for one session and one page: its authorization, and its very texts', () => {
    expect(isPageSecret(secret, 'session', pagePurpose(page))).toBe(true)
    expect(isPageSecret(secret, 'other session', pagePurpose(page))).toBe(false)
    expect(isPageSecret(secret, 'session', pagePurpose({ ...page, digest: 'e'.repeat(43) }))).toBe(false)
    const authorizationId = page.authorizationId.replace('6', '7')
    expect(isPageSecret(secret, 'session', pagePurpose({ ...page, authorizationId }))).toBe(false)
    for (const wrong of ['', secret.slice(1), `${secret}x`, 'ä'.repeat(43)]) {
      expect(isPageSecret(wrong, 'session', pagePurpose(page))).toBe(false)
    }
  })
})
