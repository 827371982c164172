import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsentingBrand, openConsentingBrand, visit } from '#e2e/harness/consent-wire.ts'
import { letTimePass } from '#e2e/harness/device-codes.ts'
import { redeemDeviceCode } from '#lib/delegation/redeem-device-code.ts'
import { prisma } from '#lib/platform/database.ts'
import { GET, POST } from './[brandId]/route.ts'

let brand: ConsentingBrand
beforeAll(async () => {
  brand = await openConsentingBrand()
})
afterAll(() => brand.close())

const post = (form: URLSearchParams | Record<string, string>, cookie?: string) =>
  visit(POST, brand.consentUrl, { brandId: brand.brandId, form, ...(cookie ? { cookie } : {}) })
const get = (query: string, cookie?: string) =>
  visit(GET, brand.consentUrl + query, { brandId: brand.brandId, ...(cookie ? { cookie } : {}) })

async function login(userCode: string, claims: Record<string, unknown> = {}) {
  return post({ assertion: await brand.assert(userCode, { claims }) })
}

/** The page's own form, with these boxes left checked. */
function choose(fields: URLSearchParams, decision: 'allow' | 'deny', scopes?: readonly string[]) {
  const form = new URLSearchParams(fields)
  form.append('decision', decision)
  if (!scopes) return form
  form.delete('scope')
  for (const scope of scopes) form.append('scope', scope)
  return form
}

async function redeem(deviceCode: string, caller = brand.caller) {
  const redeemed = await redeemDeviceCode({ brand: await brand.brand(), caller, deviceCode })
  return redeemed.ok ? redeemed.tokens.scopes : redeemed.error
}

const lastDecision = () => prisma().consentDecision.findFirstOrThrow({ orderBy: { decidedAt: 'desc' } })
const cookieOf = (cookies: string[]) => cookies[0]?.split(';')[0] ?? ''
let users = 0
/** A Brand user of a test's own. */
const newUser = () => ({ sub: `user-${++users}`, name: 'Jane Doe', email: 'jane@example.com' })

describe('§5.3: from the login to the token', () => {
  it('a link without a session leads to the Brand’s login, and changes nothing', async () => {
    const { userCode, verificationUri, verificationUriComplete } = await brand.ask()
    expect((await get(`?user_code=${userCode}`)).location?.href).toBe(verificationUriComplete)
    expect((await get('')).location?.href).toBe(verificationUri)
    expect((await get('?user_code=nonsense')).location?.href).toBe(verificationUri)
  })

  it('shows everything that the User must know, and allows what is left checked', async () => {
    const { userCode, deviceCode } = await brand.ask(['orders:read', 'orders:cancel'])
    const page = await login(userCode, newUser())
    expect(page.status).toBe(200)
    for (const text of [
      'https://first.example',
      'Loom &amp; Thread',
      'Jane Doe',
      'jane@example.com',
      userCode,
      '30 days',
    ]) {
      expect(page.text).toContain(text)
    }
    expect(page.text).toContain('May do orders:read')
    expect(page.fields.getAll('scope')).toEqual(['orders:read', 'orders:cancel'])
    expect(page.cookies).toEqual([])
    expect(await redeem(deviceCode)).toBe('authorization_pending')

    const outcome = await post(choose(page.fields, 'allow', ['orders:read']))
    expect(outcome.status).toBe(303)
    expect(outcome.location?.origin).toBe(brand.login.origin)
    expect(Object.fromEntries(outcome.location?.searchParams ?? [])).toEqual({
      status: 'approved',
      client: 'https://first.example',
      scope: 'orders:read',
    })
    expect(await redeem(deviceCode)).toEqual(['orders:read'])
  })

  it('keeps what was shown, word for word, with the boxes as they were left', async () => {
    const { userCode } = await brand.ask(['orders:cancel', 'orders:read'])
    const user = newUser()
    const page = await login(userCode, user)
    await post(choose(page.fields, 'allow', ['orders:cancel']))
    const { shown, scopes, approved, brandUserId } = await lastDecision()
    expect({ scopes, approved, brandUserId }).toEqual({
      scopes: ['orders:cancel'],
      approved: true,
      brandUserId: user.sub,
    })
    expect(shown).toMatchObject({
      language: 'en',
      decision: 'allow',
      userCode,
      personalAgent: { origin: 'https://first.example', verified: true },
      account: { id: user.sub, name: 'Jane Doe', email: 'jane@example.com' },
      scopes: [
        { id: 'orders:read', description: 'May do orders:read', checkedAtFirst: true, checkedAtLast: false },
        {
          id: 'orders:cancel',
          description: 'May do orders:cancel',
          checkedAtFirst: true,
          checkedAtLast: true,
        },
      ],
    })
    for (const text of Object.values((shown as { texts: Record<string, string> }).texts)) {
      expect(page.text).toContain(text.replaceAll('&', '&amp;'))
    }
  })

  it('is denied by the button, and by nothing left checked', async () => {
    for (const [decision, scopes] of [
      ['deny', undefined],
      ['allow', []],
    ] as const) {
      const { userCode, deviceCode } = await brand.ask()
      const page = await login(userCode, newUser())
      const { location } = await post(choose(page.fields, decision, scopes))
      expect(location?.searchParams.get('status')).toBe('denied')
      expect(location?.searchParams.get('scope')).toBe('')
      expect(await redeem(deviceCode)).toBe('access_denied')
    }
  })

  it('a scope that was not shown is never allowed', async () => {
    const { userCode, deviceCode } = await brand.ask()
    const page = await login(userCode, newUser())
    await post(choose(page.fields, 'allow', ['orders:read', 'refunds:issue', 'nonsense']))
    expect(await redeem(deviceCode)).toEqual(['orders:read'])
  })

  it('shows what is already allowed beside what is asked; either may be unchecked', async () => {
    const user = newUser()
    const first = await login((await brand.ask(['orders:read', 'orders:cancel'])).userCode, user)
    await post(choose(first.fields, 'allow'))
    const { userCode, deviceCode } = await brand.ask(['refunds:issue'])
    const page = await login(userCode, user)
    expect(page.text).toContain('It may already')
    expect(page.fields.getAll('scope')).toEqual(['refunds:issue', 'orders:read', 'orders:cancel'])
    await post(choose(page.fields, 'allow', ['refunds:issue', 'orders:read']))
    expect(await redeem(deviceCode)).toEqual(['orders:read', 'refunds:issue'])
  })

  it('denying keeps what was allowed before; unchecking it all takes it back', async () => {
    const user = newUser()
    const scopesNow = async () =>
      (await prisma().grant.findFirst({ where: { brandUserId: user.sub, revokedAt: null } }))?.scopes
    const first = await login((await brand.ask()).userCode, user)
    await post(choose(first.fields, 'allow'))
    const second = await login((await brand.ask(['orders:cancel'])).userCode, user)
    await post(choose(second.fields, 'deny', []))
    expect(await scopesNow()).toEqual(['orders:read'])
    const third = await login((await brand.ask(['orders:cancel'])).userCode, user)
    await post(choose(third.fields, 'allow', []))
    expect(await scopesNow()).toBeUndefined()
  })

  it('is skipped only for the same personal agent and `sub`, and when the grant covers all that is asked', async () => {
    const user = newUser()
    const first = await login((await brand.ask()).userCode, user)
    await post(choose(first.fields, 'allow'))

    const again = await brand.ask()
    const skipped = await login(again.userCode, user)
    expect(skipped.location?.searchParams.get('status')).toBe('approved')
    expect(skipped.cookies).toEqual([])
    expect(await redeem(again.deviceCode)).toEqual(['orders:read'])

    expect((await login((await brand.ask(['orders:read', 'orders:cancel'])).userCode, user)).status).toBe(200)
    for (const stranger of brand.strangers) {
      expect((await login((await brand.ask(['orders:read'], stranger)).userCode, user)).status).toBe(200)
    }
    expect((await login((await brand.ask()).userCode, newUser())).status).toBe(200)
  })
})

describe('the User’s session', () => {
  async function loggedIn(user = newUser()) {
    const page = await login((await brand.ask()).userCode, user)
    const { cookies } = await post(choose(page.fields, 'allow'))
    return { user, cookies, cookie: cookieOf(cookies) }
  }

  it('is a cookie that scripts can’t read, for this Brand’s pages alone, for 15 minutes', async () => {
    const { cookies } = await loggedIn()
    expect(cookies.map((cookie) => cookie.replace(/=[\w-]{43};/, '=…;'))).toEqual([
      `pact-user=…; Path=/a2a/${brand.brandId}/oauth/consent; Max-Age=900; HttpOnly; SameSite=Lax`,
      `pact-user=…; Path=/consent/${brand.brandId}; Max-Age=900; HttpOnly; SameSite=Lax`,
    ])
  })

  it('lets a link show consent at once; that changes nothing, and its page needs that very session', async () => {
    const { cookie, user } = await loggedIn()
    const other = await loggedIn()
    const { userCode, deviceCode } = await brand.ask(['orders:cancel'])
    const sessions = await prisma().userSession.count()
    const page = await get(`?user_code=${userCode.toLowerCase().replace('-', '')}`, cookie)
    expect(await prisma().userSession.count()).toBe(sessions)
    expect(page.fields.getAll('scope')).toEqual(['orders:cancel', 'orders:read'])
    for (const thief of [undefined, other.cookie]) {
      expect((await post(choose(page.fields, 'allow'), thief)).title).toBe('This page has expired')
    }
    expect((await post(choose(page.fields, 'allow'), cookie)).status).toBe(303)
    expect((await lastDecision()).brandUserId).toBe(user.sub)
    expect(await redeem(deviceCode)).toEqual(['orders:read', 'orders:cancel'])
  })

  it('shows consent also where all is allowed already: a link approves nothing', async () => {
    const { cookie } = await loggedIn()
    const { userCode, deviceCode } = await brand.ask()
    expect((await get(`?user_code=${userCode}`, cookie)).status).toBe(200)
    expect(await redeem(deviceCode)).toBe('authorization_pending')
  })

  it('asks for the code where the link has none', async () => {
    const { cookie } = await loggedIn()
    expect((await get('', cookie)).title).toBe('Which code does your assistant show?')
  })

  it('ends after its time', async () => {
    const { cookie } = await loggedIn()
    const { userCode } = await brand.ask()
    await letTimePass(901)
    expect((await get(`?user_code=${userCode}`, cookie)).status).toBe(303)
  })
})

describe('what goes wrong', () => {
  it('an assertion works once, also of two at the same moment', async () => {
    const assertion = await brand.assert((await brand.ask()).userCode, { claims: newUser() })
    const titles = (await Promise.all([post({ assertion }), post({ assertion })])).map(({ status }) => status)
    expect(titles.sort()).toEqual([200, 400])
    expect((await post({ assertion })).title).toBe('This login was used already')
  })

  it('a page counts for its own authorization, its own user and its own texts', async () => {
    const { userCode, deviceCode } = await brand.ask()
    const other = await brand.ask(['orders:cancel'])
    const page = await login(userCode, newUser())
    const otherPage = await login(other.userCode, newUser())
    const [id, digest, secret] = (page.fields.get('session') ?? '').split('.')
    const [otherId, otherDigest] = (otherPage.fields.get('session') ?? '').split('.')
    const altered = [
      { session: `${otherId}.${digest}.${secret}`, user_code: other.userCode },
      { session: `${otherId}.${otherDigest}.${secret}`, user_code: other.userCode },
      { session: `${id}.${otherDigest}.${secret}` },
      { user_code: other.userCode },
      { session: `${id}.${digest}.${'A'.repeat(43)}` },
      { session: 'nonsense' },
    ]
    for (const fields of altered) {
      const form = choose(page.fields, 'allow')
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      expect((await post(form)).title).toBe('This page has expired')
    }
    expect(await redeem(deviceCode)).toBe('authorization_pending')
    expect(await redeem(other.deviceCode)).toBe('authorization_pending')
  })

  it('where the question has changed meanwhile it is asked again, and nothing is decided', async () => {
    const { userCode, deviceCode } = await brand.ask()
    const page = await login(userCode, newUser())
    await brand.provideScopes([{ id: 'orders:read', description: 'Read everything that you ever wrote' }])
    const again = await post(choose(page.fields, 'allow'))
    await brand.provideScopes()
    expect(again.status).toBe(200)
    expect(again.text).toContain('Something on this page has changed')
    expect(again.text).toContain('Read everything that you ever wrote')
    expect(await redeem(deviceCode)).toBe('authorization_pending')
  })

  it('a second click gets the first one’s outcome; a change of mind is told that it comes too late', async () => {
    const { userCode } = await brand.ask(['orders:read', 'orders:cancel'])
    const page = await login(userCode, newUser())
    const form = choose(page.fields, 'allow', ['orders:read'])
    const [first, second] = await Promise.all([post(form), post(form)])
    expect(second.location?.href).toBe(first.location?.href)
    expect((await post(form)).location?.href).toBe(first.location?.href)
    expect((await post(choose(page.fields, 'deny'))).title).toBe('This was decided already')
    expect((await post(choose(page.fields, 'allow'))).title).toBe('This was decided already')
    expect(
      await prisma().consentDecision.count({ where: { shown: { path: ['userCode'], equals: userCode } } }),
    ).toBe(1)
  })

  it('codes that are unknown, expired or used say so', async () => {
    const used = await brand.ask()
    const page = await login(used.userCode, newUser())
    await post(choose(page.fields, 'deny'))
    expect((await login(used.userCode, newUser())).title).toBe('This was decided already')
    const late = await brand.ask()
    const latePage = await login(late.userCode, newUser())
    await prisma().deviceAuthorization.updateMany({
      where: { state: 'pending' },
      data: { expiresAt: new Date(0) },
    })
    expect((await login(late.userCode, newUser())).title).toBe('This code has expired')
    expect((await post(choose(latePage.fields, 'allow'))).title).toBe('This code has expired')
    expect((await login('BBBB-BBBB', newUser())).title).toBe('This code does not work')
  })

  it('a personal agent that has been disabled gets nothing', async () => {
    const { userCode } = await brand.ask()
    const page = await login(userCode, newUser())
    const where = { issuer: 'https://first.example' }
    await prisma().personalAgent.update({ where, data: { enabled: false } })
    const titles = [
      (await login(userCode, newUser())).title,
      (await post(choose(page.fields, 'allow'))).title,
    ]
    await prisma().personalAgent.update({ where, data: { enabled: true } })
    expect(titles).toEqual(['This code does not work', 'This code does not work'])
  })

  it('codes can’t be guessed: after ten that do not exist, none is looked up for a while', async () => {
    const user = newUser()
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await login('BBBB-BBBC', user)).status).toBe(404)
    }
    const { userCode } = await brand.ask()
    const refused = await login(userCode, user)
    expect({ status: refused.status, title: refused.title }).toEqual({
      status: 429,
      title: 'Too many codes that do not exist',
    })
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect((await login(userCode, newUser())).status).toBe(200)
  })

  it('forms that are none, too large, repeated or incomplete are refused', async () => {
    const form = new URLSearchParams({ session: 'a', decision: 'allow' })
    const bodies: [BodyInit, string][] = [
      ['{}', 'application/json'],
      [`session=${'x'.repeat(70_000)}`, 'application/x-www-form-urlencoded'],
      [`${form}&session=b`, 'application/x-www-form-urlencoded'],
      ['session=a', 'application/x-www-form-urlencoded'],
      ['session=a&decision=maybe', 'application/x-www-form-urlencoded'],
      ['', 'application/x-www-form-urlencoded'],
    ]
    for (const [body, type] of bodies) {
      const request = new Request(brand.consentUrl, {
        method: 'POST',
        body,
        headers: { 'Content-Type': type },
      })
      const response = await POST(request, { params: Promise.resolve({ brandId: brand.brandId }) })
      expect(response.status).toBe(400)
      expect(await response.text()).toContain('This form could not be read')
    }
  })

  it('whatever a form has in it gets a page, and decides nothing', async () => {
    const { userCode, deviceCode } = await brand.ask()
    const page = await login(userCode, newUser())
    const right = [...page.fields, ['decision', 'allow'], ['assertion', 'a.b.c']]
    const field = fc.oneof(
      fc.constantFrom(...right),
      fc.tuple(
        fc.constantFrom('session', 'user_code', 'decision', 'scope', 'assertion', 'x'),
        fc.string({ unit: 'binary' }),
      ),
    )
    const session = page.fields.get('session')
    await fc.assert(
      fc.asyncProperty(fc.array(field, { maxLength: 8 }), async (fields) => {
        // All three together would be the page's own answer.
        const isAnswer = ['session', 'decision', 'user_code'].every((name) =>
          fields.some((each) => each[0] === name && (name !== 'session' || each[1] === session)),
        )
        fc.pre(!isAnswer)
        const answer = await post(new URLSearchParams(fields.map(([name = '', value = '']) => [name, value])))
        expect(answer.status).toBeGreaterThanOrEqual(400)
        expect(answer.status).toBeLessThan(500)
        expect(answer.title).not.toBe('')
      }),
      { numRuns: 150 },
    )
    expect(await redeem(deviceCode)).toBe('authorization_pending')
  })

  it('a Brand that is unknown, or offers no delegation, has no such page', async () => {
    for (const brandId of ['01KAA0B5V7N2E6Y4D8GH5RPKQF', '01KAA0B5V7S8Q0ZJ1M9T3X4WCZ', '../x']) {
      const page = await visit(GET, brand.consentUrl, { brandId })
      expect({ status: page.status, title: page.title }).toEqual({
        status: 404,
        title: 'There is nothing to allow here',
      })
      expect((await visit(POST, brand.consentUrl, { brandId, form: { assertion: 'x' } })).status).toBe(404)
    }
  })
})

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
        `default-src 'none'; style-src 'self'; img-src data:; form-action http://localhost:3000 ${brand.login.origin}; frame-ancestors 'none'; base-uri 'none'`,
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
