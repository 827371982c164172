import { afterAll, describe, expect, it } from 'vitest'
import { choose, cookieOf, newUser, openConsentVisits } from '#e2e/harness/consent-visits.ts'
import { approvedCode, letTimePass } from '#e2e/harness/device-codes.ts'
import { buildClaims, signReceipt } from '#lib/delegation/sign-receipt.ts'
import { prisma } from '#lib/platform/database.ts'

const { brand, post: postConsent, getGrants: get, postGrants: post, login } = await openConsentVisits()
afterAll(() => brand.close())

const BOTH = ['orders:read', 'orders:cancel']

/** A grant of a User, and the page that their login opens on it. */
async function opened(user = newUser(), scopes: readonly string[] = BOTH, caller = brand.caller) {
  const { sub } = user
  const { grantId } = await approvedCode(await brand.brand(), caller, scopes, { brandUserId: sub })
  const assertion = await brand.login.sign(brand.consentUrl, { claims: { ...user, view: 'grants' } })
  const page = await postConsent({ assertion })
  return { user, sub, grantId, page, assertion, session: page.fields.get('session') ?? '' }
}

/** The same with a session of the browser, which consent gives. */
async function loggedIn(user = newUser(), scopes: readonly string[] = BOTH) {
  const { userCode } = await brand.ask(['refunds:issue'])
  const cookie = cookieOf(await postConsent(choose((await login(userCode, user)).fields, 'deny')))
  const { sub } = user
  const { grantId } = await approvedCode(await brand.brand(), brand.caller, scopes, { brandUserId: sub })
  const page = await get(cookie)
  return { user, sub, grantId, page, cookie, session: page.fields.get('session') ?? '' }
}

const grantNow = (id: string) => prisma().grant.findUniqueOrThrow({ where: { id } })

describe('what I have allowed', () => {
  it('shows who may do what, since when, and what was done', async () => {
    const { grantId, cookie, sub } = await loggedIn(newUser(), ['orders:cancel'])
    expect((await get(cookie)).text).toContain('Nothing has been done with it.')
    const { brandId } = brand
    const told = buildClaims({
      brandId,
      grantId,
      brandUserId: sub,
      personalAgentIssuer: 'https://first.example',
      scopesUsed: ['orders:cancel'],
      actions: [{ tool: 'cancel_order' }],
    })
    const { jws, claims } = await signReceipt(brandId, told)
    const conversationId = '7b0c7f5e-6d0b-4f0e-9f5c-1f2e3d4c5b6a'
    await prisma().receipt.create({
      data: {
        brandId,
        grantId,
        conversationId,
        messageId: 'm',
        jws,
        claims: JSON.parse(JSON.stringify(claims)),
      },
    })
    const { text } = await get(cookie)
    for (const shown of [
      'https://first.example',
      'May do orders:cancel',
      'Used for 1 reply',
      'cancel_order',
      sub,
    ]) {
      expect(text).toContain(shown)
    }
    expect(text).not.toContain('May do orders:read')
  })

  it('takes back one scope; with the last one, the grant', async () => {
    const { grantId, cookie, session } = await loggedIn()
    const withdraw = (scope: string) => post({ session, action: 'withdraw', grant: grantId, scope }, cookie)
    const first = await withdraw('orders:read')
    expect({ status: first.status, to: first.location?.href }).toEqual({
      status: 303,
      to: `${brand.grantsUrl}?done=${grantId}`,
    })
    expect((await get(cookie, `?done=${grantId}`)).text).toContain(
      'Withdrawn from first: May do orders:read. It counts from this moment.',
    )
    expect(await grantNow(grantId)).toMatchObject({ scopes: ['orders:cancel'], revokedAt: null })
    expect((await withdraw('orders:read')).location?.search).toBe('?done=nothing')
    await withdraw('orders:cancel')
    expect(await grantNow(grantId)).toMatchObject({ revokedBy: 'user', revokedAt: expect.any(Date) })
    expect((await get(cookie)).text).toContain('No assistant may use this account.')
  })

  it('takes back everything', async () => {
    const { grantId, cookie, session } = await loggedIn()
    await post({ session, action: 'revoke', grant: grantId }, cookie)
    expect(await grantNow(grantId)).toMatchObject({ revokedBy: 'user', revokedAt: expect.any(Date) })
  })

  it('claims a withdrawal only where there was one', async () => {
    const { grantId, cookie } = await loggedIn()
    const other = await loggedIn()
    await post({ session: other.session, action: 'revoke', grant: other.grantId }, other.cookie)
    for (const done of ['withdrawn', 'nothing', grantId, other.grantId, '%00', '']) {
      expect((await get(cookie, `?done=${done}`)).text).not.toContain('Withdrawn')
    }
    expect((await get(other.cookie, `?done=${other.grantId}`)).text).toContain('Withdrawn from first')
  })

  it('changes nothing without the session, or with a form that is not this session’s; each answer leads on', async () => {
    const { grantId, cookie, session } = await loggedIn()
    const stranger = await loggedIn()
    const form = { session, action: 'revoke', grant: grantId }
    const refused = [
      await post(form),
      await post({ ...form, session: stranger.session }, cookie),
      await post({ ...form, session: '' }, cookie),
      await post(form, stranger.cookie),
      await post({ ...form, action: 'everything' }, cookie),
      await post({ session, action: 'withdraw', grant: grantId }, cookie),
      await post({ ...form, grant: 'a\0' }, cookie),
    ]
    expect(refused.map(({ status }) => status)).toEqual([410, 410, 410, 410, 400, 400, 400])
    for (const { text } of refused) {
      expect(text).toContain('Nothing was withdrawn.')
      expect(text).toContain(`href="${brand.grantsUrl}"`)
    }
    expect(await grantNow(grantId)).toMatchObject({ revokedAt: null })
  })

  it('somebody else’s grant is not there', async () => {
    const { grantId } = await loggedIn()
    const { cookie, session, sub } = await loggedIn()
    const other = await grantNow(grantId)
    const form = { session, action: 'revoke', grant: grantId }
    expect((await post(form, cookie)).location?.search).toBe('?done=nothing')
    await post({ ...form, action: 'withdraw', scope: 'orders:read' }, cookie)
    expect(await grantNow(grantId)).toEqual(other)
    expect((await get(cookie)).text).toContain(sub)
    expect((await get(cookie)).text).not.toContain(other.brandUserId)
  })

  it('a consent that was decided in another tab leaves its buttons good', async () => {
    const { user, grantId, cookie, session } = await loggedIn()
    const page = await login((await brand.ask(['refunds:issue'])).userCode, user)
    expect((await postConsent(choose(page.fields, 'deny'), cookie)).cookies).toEqual([])
    expect((await post({ session, action: 'revoke', grant: grantId }, cookie)).status).toBe(303)
  })

  it('signing out ends every session and page of the User, and takes the cookies', async () => {
    const { cookie, session, user, grantId } = await loggedIn()
    const elsewhere = await opened(user)
    const consent = await login((await brand.ask(['refunds:issue'])).userCode, user)
    const stranger = await loggedIn()
    const page = await post({ session, action: 'sign-out' }, cookie)
    expect(page.title).toBe('Signed out')
    expect(page.cookies.map((each) => each.replace(/; Max-Age=0;.*/, ''))).toEqual([
      `pact-user=; Path=/a2a/${brand.brandId}/oauth/consent`,
      `pact-user=; Path=/consent/${brand.brandId}`,
      `pact-grants=; Path=/consent/${brand.brandId}/grants`,
    ])
    expect((await get(cookie)).status).toBe(303)
    expect((await post({ session: elsewhere.session, action: 'revoke', grant: grantId })).status).toBe(410)
    expect((await postConsent(choose(consent.fields, 'allow'))).title).toBe('This page has expired')
    expect((await get(stranger.cookie)).status).toBe(200)
  })

  it('a session with one Brand is none with another', async () => {
    const { cookie, session, grantId } = await loggedIn()
    await prisma().userSession.updateMany({ data: { brandId: '01KAA0B5V7N2E6Y4D8GH5RPKQF' } })
    expect((await get(cookie)).status).toBe(303)
    expect((await post({ session, action: 'revoke', grant: grantId }, cookie)).status).toBe(410)
  })

  it('tells grants of one personal agent apart by a number, and says why there are several', async () => {
    const { user } = await opened()
    expect((await opened(user)).page.text).not.toContain('of 2')
    const [sameAgent] = brand.strangers
    await letTimePass(60)
    const { page } = await opened(user, ['orders:read'], sameAgent)
    const numbers = [...page.text.matchAll(/aria-label="Withdraw everything from first \((\d) of 2\)"/g)]
    expect(numbers.map(([, number]) => number)).toEqual(['2', '1'])
    expect(page.text).toContain('keeps several users apart')
  })

  it('shows a Brand user’s id as inert text', async () => {
    const { page } = await opened({ ...newUser(), sub: 'a\u202Eb' })
    expect(page.text).toContain('a[U+202E]b')
  })
})

describe('what I have allowed, by a login', () => {
  it('goes to the Brand, and comes back with an assertion that works once', async () => {
    const returnTo = encodeURIComponent(`${brand.consentUrl}?view=grants`)
    expect((await get()).location?.href).toBe(`${brand.login.origin}/login?return_to=${returnTo}`)
    expect((await get('pact-user=nonsense')).status).toBe(303)
    const { page, assertion } = await opened()
    expect({ status: page.status, title: page.title }).toEqual({ status: 200, title: 'What I have allowed' })
    // Loaded again: to the list by its address, with whatever session the browser has.
    expect((await postConsent({ assertion })).location?.href).toBe(brand.grantsUrl)
  })

  it('gives no session, but a page that can be loaded again', async () => {
    const { page, sub } = await opened()
    expect(page.cookies.map((cookie) => cookie.replace(/=[\w-]{43};/, '=…;'))).toEqual([
      `pact-grants=…; Path=/consent/${brand.brandId}/grants; Max-Age=600; HttpOnly; SameSite=Lax`,
    ])
    const again = await get(cookieOf(page))
    expect(again.title).toBe('What I have allowed')
    expect(again.text).toContain(sub)
  })

  it('its buttons work without cookies: each answer is the list', async () => {
    const { grantId, session } = await opened()
    const first = await post({ session, action: 'withdraw', grant: grantId, scope: 'orders:read' })
    expect({ status: first.status, cookies: first.cookies }).toEqual({ status: 200, cookies: [] })
    expect(first.text).toContain('Withdrawn from first: May do orders:read.')
    const second = await post({
      session: first.fields.get('session') ?? '',
      action: 'revoke',
      grant: grantId,
    })
    expect(second.text).toContain('No assistant may use this account.')
    expect(await grantNow(grantId)).toMatchObject({ revokedBy: 'user' })
  })

  it('with cookies the first button gives the session, and the list has its own address again', async () => {
    const { grantId, session, page } = await opened()
    const form = { session, action: 'withdraw', grant: grantId, scope: 'orders:read' }
    const taken = await post(form, cookieOf(page))
    expect(taken.location?.href).toBe(`${brand.grantsUrl}?done=${grantId}`)
    expect((await get(cookieOf(taken), `?done=${grantId}`)).text).toContain('Withdrawn from first')
  })

  it('a form that another site sends gives no session and takes none', async () => {
    const { grantId, session, page } = await opened()
    for (const action of ['revoke', 'change-account', 'sign-out']) {
      const forged = await post({ session, action, grant: grantId }, cookieOf(page), 'cross-site')
      expect(forged.cookies).toEqual([])
    }
  })

  it('another account’s live session stays until the User says otherwise', async () => {
    const mine = await loggedIn({ ...newUser(), name: 'Own Name' })
    const theirs = await opened({ ...newUser(), name: 'Other Name' })
    const cookies = `${mine.cookie}; ${cookieOf(theirs.page)}`
    const asked = await get(cookies)
    expect(asked.text).toContain('This browser is logged in with the account')
    expect(asked.text).toContain('Other Name')
    expect(asked.text).toContain(`name="session" value="${mine.session}"`)

    const form = { session: theirs.session, action: 'withdraw', grant: theirs.grantId, scope: 'orders:read' }
    const taken = await post(form, cookies)
    expect({ status: taken.status, cookies: taken.cookies }).toEqual({ status: 200, cookies: [] })
    expect(taken.text).toContain('This browser is logged in with the account')
    expect((await get(mine.cookie)).text).toContain('Own Name')

    const changed = await post({ session: theirs.session, action: 'change-account' }, cookies)
    expect(changed.location?.href).toBe(brand.grantsUrl)
    expect((await get(cookieOf(changed))).text).toContain('Other Name')
  })
})
