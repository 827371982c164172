import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { cardUrl, interfaceUrl } from './addresses.ts'
import { checkDomain, wellKnownUrl } from './check-domain.ts'

const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())

const check = async () => (await checkDomain(BRAND, 'brand.example', `${api.origin}/card`)).found

describe('what a Brand’s own domain says', () => {
  it('is asked at the standard place (§2.1)', () => {
    expect(wellKnownUrl('brand.example')).toBe('https://brand.example/.well-known/agent-card.json')
  })

  it.each([301, 302, 303, 307, 308])('a redirect to the card is right: %d', async (status) => {
    api.answerWith(() => ({ status, headers: { Location: cardUrl(BRAND) } }))
    expect(await check()).toEqual({ kind: 'redirects' })
  })

  it('a redirect is read and not followed', async () => {
    api.calls.length = 0
    api.answerWith(() => ({ status: 302, headers: { Location: '/elsewhere' } }))
    expect(await check()).toEqual({ kind: 'leads-elsewhere', location: `${api.origin}/elsewhere` })
    expect(api.calls).toHaveLength(1)
  })

  it('the card itself is right, and another agent’s is not', async () => {
    api.answerWith(() => ({ json: { supportedInterfaces: [{ url: interfaceUrl(BRAND) }] } }))
    expect(await check()).toEqual({ kind: 'serves' })
    api.answerWith(() => ({ json: { supportedInterfaces: [{ url: 'https://other.example' }, null] } }))
    expect(await check()).toEqual({ kind: 'other-card', interfaces: ['https://other.example'] })
  })

  it.each([
    ['a page', { raw: '<html>', headers: { 'Content-Type': 'text/html' } }, { kind: 'no-card' }],
    ['nothing', { status: 404 }, { kind: 'status', status: 404 }],
    ['too much', { raw: 'x'.repeat(300_000) }, { kind: 'fault', fault: 'too_large' }],
  ])('says what is wrong: %s', async (_, answer, found) => {
    api.answerWith(() => answer)
    expect(await check()).toEqual(found)
  })

  it('reaches no private network', async () => {
    const { found } = await checkDomain(BRAND, 'x', 'https://10.0.0.1/')
    expect(found).toEqual({ kind: 'fault', fault: 'address' })
  })
})
