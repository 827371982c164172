import { afterAll, describe, expect, it } from 'vitest'
import {
  choose,
  cookieOf,
  lastDecision,
  newUser,
  openConsentVisits,
  withoutItsOwn,
} from '#e2e/harness/consent-visits.ts'
import { letTimePass } from '#e2e/harness/device-codes.ts'
import { prisma } from '#lib/platform/database.ts'

const { brand, post, get, getGrants, postGrants, login, redeem } = await openConsentVisits()
afterAll(() => brand.close())

describe('the User’s session', () => {
  async function loggedIn(user = newUser()) {
    const page = await login((await brand.ask()).userCode, user)
    const { cookies } = await post(choose(page.fields, 'allow'))
    return { user, cookies, cookie: cookieOf({ cookies }) }
  }

  it('is a cookie that scripts can’t read, for this Brand’s pages alone, for 15 minutes', async () => {
    const { cookies } = await loggedIn()
    expect(cookies.map((cookie) => withoutItsOwn(cookie))).toEqual([
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

  it('stays what it is when more is decided, also in a second tab, and ends 15 minutes after the login', async () => {
    const { cookie, user } = await loggedIn()
    // For another personal agent: for the same one, what the first tab decides changes what the second one shows.
    const asked = [await brand.ask(['orders:cancel']), await brand.ask(['refunds:issue'], brand.strangers[1])]
    const tabs = await Promise.all(asked.map(({ userCode }) => get(`?user_code=${userCode}`, cookie)))
    await letTimePass(600)
    await prisma().deviceAuthorization.updateMany({ data: { expiresAt: new Date(Date.now() + 600_000) } })
    for (const tab of tabs) {
      const decided = await post(choose(tab.fields, 'allow'), cookie)
      expect({ status: decided.status, cookies: decided.cookies }).toEqual({ status: 303, cookies: [] })
    }
    expect((await lastDecision()).brandUserId).toBe(user.sub)
    await letTimePass(301)
    expect((await get('', cookie)).status).toBe(303)
  })

  it('lives no longer for a page that was answered late', async () => {
    const page = await login((await brand.ask()).userCode, newUser())
    await prisma().userSession.updateMany({ data: { loggedInAt: new Date(Date.now() - 500_000) } })
    const { cookies } = await post(choose(page.fields, 'allow'))
    const life = Number(/Max-Age=(\d+)/.exec(cookies[0] ?? '')?.[1])
    expect(life).toBeGreaterThan(390)
    expect(life).toBeLessThanOrEqual(400)
  })

  it('is not given again with the outcome of a page that was answered before, nor after signing out', async () => {
    const page = await login((await brand.ask()).userCode, newUser())
    const form = choose(page.fields, 'allow')
    const cookie = cookieOf(await post(form))
    expect((await post(form)).cookies).toEqual([])
    const list = await getGrants(cookie)
    await postGrants({ session: list.fields.get('session') ?? '', action: 'sign-out' }, cookie)
    const late = await post(form)
    expect({ title: late.title, cookies: late.cookies }).toEqual({
      title: 'This page has expired',
      cookies: [],
    })
    expect(late.text).not.toContain('Nothing was decided.')
  })

  it('another account’s live session is not replaced by a decision', async () => {
    const { cookie } = await loggedIn()
    const other = newUser()
    const page = await login((await brand.ask()).userCode, other)
    expect((await post(choose(page.fields, 'allow'), cookie)).cookies).toEqual([])
    expect((await lastDecision()).brandUserId).toBe(other.sub)
  })

  it('is not given where another site sent the form: whoever it is, the User has not seen the page', async () => {
    const page = await login((await brand.ask()).userCode, newUser())
    const forged = await post(choose(page.fields, 'deny'), undefined, 'cross-site')
    expect({ status: forged.status, cookies: forged.cookies }).toEqual({ status: 303, cookies: [] })
  })
})
