import { afterAll, describe, expect, it } from 'vitest'
import { choose, newUser, openConsentVisits } from '#e2e/harness/consent-visits.ts'

const { brand, post, get, login } = await openConsentVisits()
afterAll(() => brand.close())

describe('every answer', () => {
  it('can’t be framed, kept, scripted or led elsewhere', async () => {
    const { userCode } = await brand.ask()
    const page = await login(userCode, newUser())
    const answers = [
      page,
      await post(choose(page.fields, 'deny')),
      await get(''),
      await post({ assertion: 'x' }),
    ]
    for (const { headers, text } of answers) {
      expect(headers.get('Content-Security-Policy')).toBe(
        `default-src 'none'; style-src 'self'; img-src data:; form-action https: 'self' http://localhost:* http://127.0.0.1:*; frame-ancestors 'none'; base-uri 'none'`,
      )
      expect(headers.get('X-Frame-Options')).toBe('DENY')
      expect(headers.get('Referrer-Policy')).toBe('no-referrer')
      expect(headers.get('Cache-Control')).toBe('no-store')
      expect(text).not.toMatch(/<script|style=| on\w+=/)
    }
  })

  it('what others wrote is inert', async () => {
    const { userCode } = await brand.ask()
    const page = await login(userCode, {
      sub: '<b>x</b>',
      name: '<script>alert(1)</script>',
      email: 'a\u202Eb@c',
    })
    expect(page.text).not.toContain('<script')
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page.text).toContain('a[U+202E]b@c')
  })
})
