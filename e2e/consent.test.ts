import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandLogin, type TestBrandLogin } from './harness/brand-login.ts'
import { keepScreenshot, openBrowser } from './harness/browser.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import { findOverhang, findViolations } from './harness/page-checks.ts'
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
  // Where consent ends is a redirect to another origin, as the Brand's own site may have it.
  return { login: { ...login.settings, afterConsentUrl: `${login.origin}/moved` }, appearance }
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
  expect(await findOverhang(page)).toBeLessThanOrEqual(0)
  expect(await findViolations(page)).toEqual([])
}

/** Where the list sends somebody who wants to see another account's. */
async function grantsLogin(page: Page): Promise<string> {
  return (await page.getByRole('link', { name: 'Use another account' }).getAttribute('href')) ?? ''
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
    const withdrawn = 'Withdrawn from first: Allows orders:cancel. It counts from this moment.'
    expect(await page.getByRole('status').textContent()).toBe(withdrawn)
    expect(await page.getByRole('button', { name: 'Allows orders:cancel' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out of this page' }).click()
    await signIn(page, grantsUrl, user)
    await page.getByRole('button', { name: 'Withdraw everything from first' }).click()
    expect(await page.getByText('No assistant may use this account.').isVisible()).toBe(true)
  })

  it('the list that a login opened can be loaded again, and gone back to', async () => {
    const user = newUser()
    const page = await newPage()
    const codes = await ask(user.sub, 'orders:read orders:cancel')
    await signIn(page, codes.verification_uri_complete, user)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.context().clearCookies()
    const grantsUrl = `${provider.url}/consent/${provider.brandId}/grants`
    await signIn(page, grantsUrl, user)
    const list = page.getByRole('heading', { name: 'What I have allowed' })
    await list.waitFor()
    await page.reload()
    await list.waitFor()
    expect(page.url()).toBe(grantsUrl)
    await page.getByRole('button', { name: 'Withdraw from first: Allows orders:cancel' }).click()
    await page.getByRole('status').waitFor()
    await page.goBack()
    await list.waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Withdraw everything from first' }).click()
    await page.getByText('No assistant may use this account.').waitFor()
  })

  it('a consent page that is loaded again leads to another login for the same code', async () => {
    const user = newUser()
    const page = await newPage()
    const codes = await ask(user.sub, 'orders:read')
    await signIn(page, codes.verification_uri_complete, user)
    await page.getByRole('button', { name: 'Allow what is checked' }).waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'Log in again' }).click()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.getByRole('heading', { name: 'Back at the Brand: approved' }).waitFor()
    expect(await poll(user.sub, codes)).toMatchObject({ scope: 'orders:read' })
  })

  it('the link without a code asks for it, and leads to consent', async () => {
    const user = newUser()
    const page = await newPage()
    const codes = await ask(user.sub, 'orders:read')
    await signIn(page, codes.verification_uri, user)
    await page.getByRole('textbox').fill('bbbb bbbb')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox').fill(codes.user_code.toLowerCase())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.getByRole('heading', { name: 'Back at the Brand: approved' }).waitFor()
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
    const grantsUrl = `${provider.url}/consent/${provider.brandId}/grants`
    await page.goto(`${consentUrl}?user_code=${more.user_code}`)
    await inspect(page, 'consent-step-up', view)
    await page.goto(consentUrl)
    await inspect(page, 'consent-code', view)
    // Another user of the same personal agent, for the same account: two of a kind in the list.
    const twin = await ask(`${user.sub}-twin`, 'orders:read')
    await page.goto(`${consentUrl}?user_code=${twin.user_code}`)
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.waitForURL(/status=/)
    await page.goto(grantsUrl)
    await inspect(page, 'consent-grants', view)
    await signIn(page, login.settings.url + new URL(await grantsLogin(page)).search, newUser())
    await page.goto(grantsUrl)
    await page.getByText('This browser is logged in with the account').waitFor()
    await inspect(page, 'consent-grants-two-accounts', view)
    expect(blocked).toEqual([])
    await page.goto(`${consentUrl}?user_code=BBBB-BBBB`)
    await inspect(page, 'consent-problem', view)
    await signIn(page, codes.verification_uri, user)
    await page.getByRole('textbox').fill('BBBB-BBBB')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('alert').waitFor()
    await inspect(page, 'consent-code-unknown', view)
    const last = await ask(user.sub, 'orders:cancel')
    await signIn(page, last.verification_uri_complete, user)
    await page.getByRole('button', { name: 'Allow what is checked' }).waitFor()
    await page.reload()
    await inspect(page, 'consent-login-again', view)
  })
})
