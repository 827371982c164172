import AxeBuilder from '@axe-core/playwright'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandLogin, type TestBrandLogin } from './harness/brand-login.ts'
import { keepScreenshot, openBrowser } from './harness/browser.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { signPaToken } from './harness/wire.ts'

let login: TestBrandLogin
let provider: TestProvider
let browser: Browser

beforeAll(async () => {
  login = await startBrandLogin()
  ;[provider, browser] = await Promise.all([
    startTestProvider({
      provision: (agents) => {
        const provision = buildOrderAgentProvision(agents, { api: login.origin })
        const brands = provision.brands.map((brand) =>
          'delegation' in brand ? { ...brand, delegation: { ...brand.delegation, ...ofTheLogin() } } : brand,
        )
        return { ...provision, brands }
      },
    }),
    openBrowser(),
  ])
})
afterAll(() => Promise.all([login?.close(), provider?.close(), browser?.close()]))

function ofTheLogin() {
  const appearance = { colour: '#7a3b2e', logoUrl: `${login.origin}/logo.svg` }
  return { login: login.settings, appearance }
}

const views = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
] as const

type View = (typeof views)[number]

async function newPage(view: View = views[2], javaScriptEnabled = false): Promise<Page> {
  const { width, height, colorScheme } = view
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, javaScriptEnabled })
  return context.newPage()
}

async function oauth(path: string, fields: Record<string, string>, sub: string) {
  const pa = await signPaToken(provider.personalAgent, { sub })
  const response = await fetch(`${provider.url}/a2a/${provider.brandId}/oauth/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${pa}` },
    body: new URLSearchParams({ client_id: provider.personalAgent.issuer, ...fields }),
  })
  return response.json()
}

type Codes = {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

const ask = (sub: string, scope: string): Promise<Codes> => oauth('device_authorization', { scope }, sub)

function poll(sub: string, { device_code }: Codes): Promise<Record<string, unknown>> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
  return oauth('token', { grant_type, device_code }, sub)
}

async function signIn(page: Page, link: string, user: { sub: string; name?: string; email?: string }) {
  login.signInAs(user)
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Accessibility (axe), nothing sideways, and a picture. */
async function inspect(page: Page, name: string, { width, colorScheme }: View) {
  await keepScreenshot(page, `${name}-${width}-${colorScheme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

const jane = { name: 'Jane Doe', email: 'jane@example.com' }
let users = 0
const newUser = () => ({ sub: `user-${++users}`, ...jane })

describe('§5.3 in a real browser, without scripts', () => {
  it('login, consent with one scope unchecked, the Brand’s page, and a token for what was left', async () => {
    const user = newUser()
    const codes = await ask(user.sub, 'orders:read orders:cancel')
    const page = await newPage()
    await signIn(page, codes.verification_uri_complete, user)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('first')
    expect(await page.getByText(codes.user_code).isVisible()).toBe(true)
    await page.getByRole('checkbox', { name: 'Allows orders:cancel' }).uncheck()
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    expect(await page.getByRole('heading').textContent()).toBe('Back at the Brand: approved')
    expect(new URL(page.url()).searchParams.get('scope')).toBe('orders:read')
    expect(await poll(user.sub, codes)).toMatchObject({ scope: 'orders:read' })
  })

  it('with the keyboard alone; the Enter key on a checkbox gives nothing away', async () => {
    const user = newUser()
    const codes = await ask(user.sub, 'orders:read orders:cancel')
    const page = await newPage()
    await signIn(page, codes.verification_uri_complete, user)
    const press = (key: string) => page.keyboard.press(key)
    const checkbox = page.getByRole('checkbox').first()
    await checkbox.waitFor()
    for (let tabs = 0; tabs < 5; tabs++) {
      await press('Tab')
      if (await checkbox.evaluate((element) => element === document.activeElement)) break
    }
    await press('Space')
    expect(await checkbox.isChecked()).toBe(false)
    await press('Enter')
    await page.waitForURL(/status=/)
    expect(new URL(page.url()).searchParams.get('status')).toBe('denied')
    expect(await poll(user.sub, codes)).toMatchObject({ error: 'access_denied' })
  })

  it('a step-up with the live session shows consent at once, with what is already allowed', async () => {
    const user = newUser()
    const page = await newPage()
    await signIn(page, (await ask(user.sub, 'orders:read')).verification_uri_complete, user)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    const more = await ask(user.sub, 'orders:cancel')
    await page.goto(`${provider.url}/a2a/${provider.brandId}/oauth/consent?user_code=${more.user_code}`)
    expect(await page.getByRole('group').count()).toBe(2)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    expect(await poll(user.sub, more)).toMatchObject({ scope: 'orders:read orders:cancel' })
  })

  it('what is allowed can be seen and withdrawn, by the session or by a login', async () => {
    const user = newUser()
    const page = await newPage()
    const codes = await ask(user.sub, 'orders:read orders:cancel')
    await signIn(page, codes.verification_uri_complete, user)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await poll(user.sub, codes)
    const grantsUrl = `${provider.url}/consent/${provider.brandId}/grants`
    await page.goto(grantsUrl)
    await page.getByRole('button', { name: 'Withdraw from first: Allows orders:cancel' }).click()
    expect(await page.getByRole('status').textContent()).toBe('Withdrawn. It counts from this moment.')
    expect(await page.getByText('orders:cancel').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out of this page' }).click()
    await signIn(page, grantsUrl, user)
    await page.getByRole('button', { name: 'Withdraw everything from first' }).click()
    expect(await page.getByText('No assistant may use this account.').isVisible()).toBe(true)
  })

  it('the link without a code leads to the Brand’s login too', async () => {
    const page = await newPage()
    await page.goto(`${provider.url}/a2a/${provider.brandId}/oauth/consent`)
    expect(page.url()).toBe((await ask('anyone', 'orders:read')).verification_uri)
  })
})

describe.each(views)('at $width pixels, $colorScheme', (view) => {
  it('every page is accessible and fits', async () => {
    const user = newUser()
    // axe needs scripts; the pages do not.
    const page = await newPage(view, true)
    const blocked: string[] = []
    page.on('console', (message) => message.type() === 'error' && blocked.push(message.text()))
    const codes = await ask(user.sub, 'orders:read')
    await signIn(page, codes.verification_uri_complete, user)
    await inspect(page, 'consent', view)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.waitForURL(/status=/)
    const more = await ask(user.sub, 'orders:cancel profile:read')
    const consentUrl = `${provider.url}/a2a/${provider.brandId}/oauth/consent`
    await page.goto(`${consentUrl}?user_code=${more.user_code}`)
    await inspect(page, 'consent-step-up', view)
    await page.goto(consentUrl)
    await inspect(page, 'consent-code', view)
    await page.goto(`${provider.url}/consent/${provider.brandId}/grants`)
    await inspect(page, 'consent-grants', view)
    expect(blocked).toEqual([])
    await page.goto(`${consentUrl}?user_code=BBBB-BBBB`)
    await inspect(page, 'consent-problem', view)
  })
})
