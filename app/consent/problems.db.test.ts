import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { choose, cookieOf, newUser, openConsentVisits } from '#e2e/harness/consent-visits.ts'
import { visit } from '#e2e/harness/consent-wire.ts'
import { prisma } from '#lib/platform/database.ts'
import { GET, POST } from './[brandId]/route.ts'

const { brand, post, get, login, redeem } = await openConsentVisits()
afterAll(() => brand.close())

describe('what goes wrong', () => {
  it('an assertion works once, also of two at the same moment', async () => {
    const assertion = await brand.assert((await brand.ask()).userCode, { claims: newUser() })
    const titles = (await Promise.all([post({ assertion }), post({ assertion })])).map(({ status }) => status)
    expect(titles.sort()).toEqual([200, 400])
    expect((await post({ assertion })).title).toBe('This login was used already')
  })

  it('what a reload or a late page finds leads on to another login for the same code', async () => {
    const { userCode, verificationUriComplete } = await brand.ask()
    const link = `href="${verificationUriComplete.replaceAll('&', '&amp;')}"`
    const assertion = await brand.assert(userCode, { claims: newUser() })
    const page = await post({ assertion })
    expect((await post({ assertion })).text).toContain(link)
    const old = Math.floor(Date.now() / 1000) - 200
    const stale = await login(userCode, { ...newUser(), iat: old, exp: old + 60 })
    expect(stale.title).toBe('This login took too long')
    expect(stale.text).toContain(link)
    await prisma().userSession.deleteMany()
    const ended = await post(choose(page.fields, 'allow'))
    expect(ended.title).toBe('This page has expired')
    expect(ended.text).toContain(link)
    expect(ended.text).toContain(`href="${brand.grantsUrl}"`)
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

  it('of sixty attempts at the same moment ten are looked up', async () => {
    const user = newUser()
    const known = await brand.ask()
    const page = await login(known.userCode, user)
    const cookie = cookieOf(await post(choose(page.fields, 'deny')))
    const answers = await Promise.all(Array.from({ length: 60 }, () => get('?user_code=BBBB-BBBD', cookie)))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(50)
  })

  it('nor from one address, however many accounts somebody has; who comes from elsewhere is not held up', async () => {
    const from = async (address: string, userCode: string) => {
      const form = { assertion: await brand.assert(userCode, { claims: newUser() }) }
      return visit(POST, brand.consentUrl, { brandId: brand.brandId, form, address })
    }
    const guesses = await Promise.all(Array.from({ length: 64 }, () => from('192.0.2.7', 'BBBB-BBBF')))
    expect(guesses.filter(({ status }) => status === 404)).toHaveLength(60)
    const { userCode } = await brand.ask()
    const right = await from('192.0.2.7', userCode)
    const wrong = await from('192.0.2.7', 'BBBB-BBBG')
    expect([right.status, right.text]).toEqual([429, wrong.text])
    expect((await from('192.0.2.8', userCode)).status).toBe(200)
  })

  it('codes that exist cost no attempt, whatever became of them', async () => {
    const user = newUser()
    const { userCode } = await brand.ask()
    await post(choose((await login(userCode, user)).fields, 'deny'))
    for (let attempt = 0; attempt < 12; attempt++) expect((await login(userCode, user)).status).toBe(410)
    expect((await login((await brand.ask()).userCode, user)).status).toBe(200)
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
