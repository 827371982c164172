import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ConsentingBrand, openConsentingBrand, visit } from '#e2e/harness/consent-wire.ts'
import { approvedCode } from '#e2e/harness/device-codes.ts'
import { signReceipt } from '#lib/delegation/sign-receipt.ts'
import { prisma } from '#lib/platform/database.ts'
import { GET, POST } from './[brandId]/grants/route.ts'
import { POST as postConsent } from './[brandId]/route.ts'

let brand: ConsentingBrand
beforeAll(async () => {
  brand = await openConsentingBrand()
})
afterAll(() => brand.close())

const get = (cookie?: string, query = '') =>
  visit(GET, brand.grantsUrl + query, { brandId: brand.brandId, ...(cookie ? { cookie } : {}) })
const post = (form: Record<string, string>, cookie?: string) =>
  visit(POST, brand.grantsUrl, { brandId: brand.brandId, form, ...(cookie ? { cookie } : {}) })

let users = 0
/** A User with one grant, who has logged in to see it. */
async function loggedIn(scopes: readonly string[] = ['orders:read', 'orders:cancel']) {
  const sub = `user-${++users}`
  const { grantId } = await approvedCode(await brand.brand(), brand.caller, scopes, { brandUserId: sub })
  const assertion = await brand.login.sign(brand.consentUrl, { claims: { sub, view: 'grants' } })
  const page = await visit(postConsent, brand.consentUrl, { brandId: brand.brandId, form: { assertion } })
  const cookie = page.cookies[0]?.split(';')[0] ?? ''
  return { sub, grantId, page, cookie, session: page.fields.get('session') ?? '', assertion }
}

const grantNow = (id: string) => prisma().grant.findUniqueOrThrow({ where: { id } })

describe('what I have allowed', () => {
  it('needs a login of its own purpose, which works once', async () => {
    const returnTo = encodeURIComponent(`${brand.consentUrl}?view=grants`)
    expect((await get()).location?.href).toBe(`${brand.login.origin}/login?return_to=${returnTo}`)
    expect((await get('pact-user=nonsense')).status).toBe(303)
    const { page, assertion } = await loggedIn()
    expect({ status: page.status, title: page.title }).toEqual({ status: 200, title: 'What I have allowed' })
    const form = { assertion }
    const again = await visit(postConsent, brand.consentUrl, { brandId: brand.brandId, form })
    expect(again.title).toBe('This login was used already')
  })

  it('shows who may do what, since when, and what was done', async () => {
    const { grantId, cookie, sub } = await loggedIn(['orders:cancel'])
    expect((await get(cookie)).text).toContain('Nothing has been done with it.')
    const { jws, claims } = await signReceipt({
      brandId: brand.brandId,
      grantId,
      brandUserId: sub,
      personalAgentIssuer: 'https://first.example',
      scopesUsed: ['orders:cancel'],
      actions: [{ tool: 'cancel_order' }],
    })
    const conversationId = '7b0c7f5e-6d0b-4f0e-9f5c-1f2e3d4c5b6a'
    const { brandId } = brand
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
      to: `${brand.grantsUrl}?done=withdrawn`,
    })
    expect((await get(cookie, '?done=withdrawn')).text).toContain('Withdrawn. It counts from this moment.')
    expect(await grantNow(grantId)).toMatchObject({ scopes: ['orders:cancel'], revokedAt: null })
    expect((await withdraw('orders:read')).location?.search).toBe('?done=unchanged')
    await withdraw('orders:cancel')
    expect(await grantNow(grantId)).toMatchObject({ revokedBy: 'user', revokedAt: expect.any(Date) })
    expect((await get(cookie)).text).toContain('No assistant may use this account.')
  })

  it('takes back everything', async () => {
    const { grantId, cookie, session } = await loggedIn()
    await post({ session, action: 'revoke', grant: grantId }, cookie)
    expect(await grantNow(grantId)).toMatchObject({ revokedBy: 'user', revokedAt: expect.any(Date) })
  })

  it('changes nothing without the session, or with a form that is not this session’s', async () => {
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
    expect(refused.map(({ status }) => status)).toEqual([410, 400, 400, 400, 400, 400, 400])
    expect(await grantNow(grantId)).toMatchObject({ revokedAt: null })
  })

  it('somebody else’s grant is not there', async () => {
    const { grantId } = await loggedIn()
    const { cookie, session, sub } = await loggedIn()
    const other = await grantNow(grantId)
    const form = { session, action: 'revoke', grant: grantId }
    expect((await post(form, cookie)).location?.search).toBe('?done=unchanged')
    await post({ ...form, action: 'withdraw', scope: 'orders:read' }, cookie)
    expect(await grantNow(grantId)).toEqual(other)
    expect((await get(cookie)).text).toContain(sub)
    expect((await get(cookie)).text).not.toContain(other.brandUserId)
  })

  it('signing out ends the session, and takes the cookie', async () => {
    const { cookie, session } = await loggedIn()
    const page = await post({ session, action: 'sign-out' }, cookie)
    expect(page.title).toBe('Signed out')
    expect(page.cookies).toHaveLength(2)
    expect(page.cookies[0]).toMatch(/^pact-user=; Path=\S+; Max-Age=0;/)
    expect((await get(cookie)).status).toBe(303)
  })

  it('a session with one Brand is none with another', async () => {
    const { cookie, session, grantId } = await loggedIn()
    await prisma().userSession.updateMany({ data: { brandId: '01KAA0B5V7N2E6Y4D8GH5RPKQF' } })
    expect((await get(cookie)).status).toBe(303)
    expect((await post({ session, action: 'revoke', grant: grantId }, cookie)).status).toBe(410)
  })
})
