import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { expect } from 'vitest'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { keepScreenshot, openBrowser } from './browser.ts'
import { addConsoleUser, emailOf, PASSWORD, type Role, roles, rolesOf } from './console-users.ts'
import { startTestProvider, type TestProvider } from './provider.ts'

export { addConsoleUser, emailOf, PASSWORD, type Role, roles }

export const views = [
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
] as const
export type View = (typeof views)[number]

export type TestConsole = {
  url: string
  provider: TestProvider
  browser: Browser
  /** A page in a new context, signed in as somebody with that role. The form is filled in once for each. */
  openAs(role: Role, view?: View): Promise<Page>
  /** A page in a new context that nobody has signed in with. */
  open(view?: View): Promise<Page>
  close(): Promise<void>
}

/** Signs in with e-mail address and password, and waits until the form is gone. */
export async function signInByForm(page: Page, url: string, email: string, password = PASSWORD) {
  await page.goto(`${url}/admin/sign-in`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((address) => address.pathname !== '/admin/sign-in')
}

/** Accessibility (axe), nothing sideways, and a picture. */
export async function inspect(page: Page, name: string, { width, colorScheme }: View): Promise<void> {
  await keepScreenshot(page, `console-${name}-${width}-${colorScheme}`)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
}

/**
 * The console for a test: a Provider on a fresh database, a user for each role, and a browser. The test's own process
 * uses the same database through `prisma()`.
 */
export async function startTestConsole(
  options: Parameters<typeof startTestProvider>[0] = {},
): Promise<TestConsole> {
  const [provider, browser] = await Promise.all([startTestProvider(options), openBrowser()])
  setDatabaseUrl(provider.databaseUrl)
  const { brandId, otherBrandId, url } = provider
  const given = rolesOf(brandId, otherBrandId)
  for (const role of roles) await addConsoleUser(emailOf(role), given[role])

  const newContext = (view: View = views[2]) => {
    const { width, height, colorScheme } = view
    return browser.newContext({ viewport: { width, height }, colorScheme })
  }
  const cookies = new Map<Role, Awaited<ReturnType<BrowserContext['cookies']>>>()
  return {
    url,
    provider,
    browser,
    async openAs(role, view) {
      const context = await newContext(view)
      const page = await context.newPage()
      const known = cookies.get(role)
      if (known) await context.addCookies(known)
      else {
        await signInByForm(page, url, emailOf(role))
        cookies.set(role, await context.cookies())
      }
      return page
    },
    open: async (view) => (await newContext(view)).newPage(),
    async close() {
      await browser.close()
      await closeDatabase()
      await provider.close()
    },
  }
}
