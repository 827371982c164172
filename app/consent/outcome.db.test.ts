import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutItsOwn } from '#e2e/harness/consent-visits.ts'
import { type ConsentingBrand, openConsentingBrand, visit } from '#e2e/harness/consent-wire.ts'
import { config } from '#lib/platform/config.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { POST } from './[brandId]/route.ts'

let brand: ConsentingBrand
beforeAll(async () => {
  config().providerUrl = 'https://provider.example/base'
  brand = await openConsentingBrand({ afterConsent: false })
})
afterAll(() => brand.close())

const post = (form: URLSearchParams | Record<string, string>) =>
  visit(POST, brand.consentUrl, { brandId: brand.brandId, form })

let users = 0
async function decide(decision: 'allow' | 'deny', sub = `user-${++users}`, scopes = ['orders:read']) {
  const { userCode } = await brand.ask(scopes)
  const page = await post({ assertion: await brand.assert(userCode, { claims: { sub } }) })
  page.fields.append('decision', decision)
  return post(page.fields)
}

describe('where the Brand has no page for what comes after consent', () => {
  it('ours says what was allowed, and where it can be withdrawn', async () => {
    const page = await decide('allow')
    expect({ status: page.status, title: page.title }).toEqual({ status: 200, title: 'Allowed' })
    expect(page.text).toContain('May do orders:read')
    expect(page.text).toContain(`href="https://provider.example/base/consent/${brand.brandId}/grants"`)
  })

  it('ours says that nothing was', async () => {
    const page = await decide('deny')
    expect({ status: page.status, title: page.title }).toEqual({ status: 200, title: 'Nothing was allowed' })
  })

  it('ours says what was allowed before and still is', async () => {
    await decide('allow', 'keeper')
    const page = await decide('deny', 'keeper', ['orders:cancel'])
    expect(page.title).toBe('Nothing new was allowed')
    expect(page.text).toContain('What you allowed before still holds')
    expect(page.text).toContain('May do orders:read')
    expect(page.text).not.toContain('May do orders:cancel')
    expect(page.text).toContain('/grants"')
  })
})

describe('behind https, below a path', () => {
  it('the cookie is for TLS only, and every address has the path', async () => {
    const page = await decide('allow')
    expect(page.cookies.map((cookie) => withoutItsOwn(cookie))).toEqual([
      `__Secure-pact-user=…; Path=/base/a2a/${brand.brandId}/oauth/consent; Max-Age=900; HttpOnly; SameSite=Lax; Secure`,
      `__Secure-pact-user=…; Path=/base/consent/${brand.brandId}; Max-Age=900; HttpOnly; SameSite=Lax; Secure`,
    ])
    expect(page.text).toContain('href="/base/consent.css"')
    expect(page.headers.get('Content-Security-Policy')).toContain("form-action https: 'self'")
  })
})

describe('a Brand’s colour and logo', () => {
  it('are on the page, and its images may come from there alone', async () => {
    const { userCode } = await brand.ask()
    await prisma().$executeRaw`
      UPDATE "Brand" SET "delegation" = "delegation" || '{"appearance":{"colour":"#7a3b2e","logoUrl":"https://img.example/a.svg"}}'
      WHERE "delegation" IS NOT NULL`
    await brand.brand()
    const page = await post({ assertion: await brand.assert(userCode, { claims: { sub: 'colourful' } }) })
    expect(page.text).toContain('fill="#7a3b2e"')
    expect(page.text).toContain('href="https://img.example/a.svg"')
    expect(page.headers.get('Content-Security-Policy')).toContain('img-src data: https://img.example;')
  })
})

describe('when something fails', () => {
  it('the page says so, and nothing of what it was', async () => {
    await pool().query('ALTER TABLE "DeviceAuthorization" RENAME TO "Elsewhere"')
    const page = await post({ assertion: await brand.assert('WDJB-MJHT') })
    await pool().query('ALTER TABLE "Elsewhere" RENAME TO "DeviceAuthorization"')
    expect({ status: page.status, title: page.title }).toEqual({
      status: 500,
      title: 'Something went wrong here',
    })
    expect(page.text).not.toContain('DeviceAuthorization')
  })
})
