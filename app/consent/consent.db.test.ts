import { afterAll, describe, expect, it } from 'vitest'
import { choose, lastDecision, newUser, openConsentVisits } from '#e2e/harness/consent-visits.ts'
import { prisma } from '#lib/platform/database.ts'

const { brand, post, get, login, redeem } = await openConsentVisits()
afterAll(() => brand.close())

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

  it('says what denying leaves as it is, and where all that is allowed can be seen', async () => {
    const user = newUser()
    const first = await login((await brand.ask()).userCode, user)
    expect(first.text).not.toContain('leaves what it may do already')
    expect(first.text).toContain(`href="${brand.grantsUrl}"`)
    await post(choose(first.fields, 'allow'))
    const second = await login((await brand.ask(['orders:cancel'])).userCode, user)
    expect(second.text).toContain('“Do not allow” leaves what it may do already as it is.')
  })
})

describe('RFC 8628 §3.3: a login without a code', () => {
  const open = async (user = newUser()) =>
    post({ assertion: await brand.login.sign(brand.consentUrl, { claims: user }) })
  const type = (fields: URLSearchParams, code: string) => {
    const form = new URLSearchParams(fields)
    form.set('user_code', code)
    return post(form)
  }

  it('asks for the code as the User who logged in, and goes on to consent without a cookie', async () => {
    const user = newUser()
    const { userCode, deviceCode } = await brand.ask()
    const page = await open(user)
    expect({ title: page.title, cookies: page.cookies }).toEqual({
      title: 'Which code does your assistant show?',
      cookies: [],
    })
    expect(page.text).toContain(user.sub)
    const consent = await type(page.fields, userCode.toLowerCase())
    expect(consent.fields.getAll('scope')).toEqual(['orders:read'])
    await post(choose(consent.fields, 'allow'))
    expect((await lastDecision()).brandUserId).toBe(user.sub)
    expect(await redeem(deviceCode)).toEqual(['orders:read'])
  })

  it('asks again for a code that is none', async () => {
    const page = await open()
    for (const code of ['BBBB-BBBF', 'nonsense', '']) {
      const again = await type(page.fields, code)
      expect({ status: again.status, title: again.title }).toEqual({
        status: 404,
        title: 'Which code does your assistant show?',
      })
      expect(again.text).toContain('There is no request with this code.')
    }
    const { userCode } = await brand.ask()
    expect((await type(page.fields, userCode)).fields.getAll('scope')).toEqual(['orders:read'])
  })

  it('works once, and its page is good for nothing else', async () => {
    const assertion = await brand.login.sign(brand.consentUrl, { claims: newUser() })
    const page = await post({ assertion })
    const again = await post({ assertion })
    expect(again.title).toBe('This login was used already')
    expect(again.text).toContain('>Log in again</a>')
    const { userCode } = await brand.ask()
    const form = new URLSearchParams(page.fields)
    form.set('user_code', userCode)
    form.set('session', 'A'.repeat(43))
    expect((await post(form)).title).toBe('This page has expired')
  })
})
