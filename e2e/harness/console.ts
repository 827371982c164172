import type { Browser, Page } from 'playwright'
import { expect } from 'vitest'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { formatCursor } from '#lib/platform/keyset.ts'
import { keepScreenshot, openBrowser } from './browser.ts'
import {
  addConsoleUser,
  emailOf,
  PASSWORD,
  type Role,
  roles,
  rolesOf,
  startTestSession,
} from './console-users.ts'
import { findOverhang, findViolations } from './page-checks.ts'
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
  /** A page in a new context, signed in as somebody with that role: each role has one session. */
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

/** What asks a list for the page behind its last row. @param id one of the list's own */
export function pastTheEnd(id: string): string {
  return `?after=${formatCursor({ at: new Date(0), id })}`
}

/** Shows a page that is open already in another view. */
export async function lookAt(page: Page, { width, height, colorScheme }: View): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme })
}

/**
 * Accessibility (axe), nothing sideways, and a picture, on a phone and a wide screen: of a state of a page that the sweep over
 * all pages does not meet.
 */
export async function inspectState(page: Page, name: string): Promise<void> {
  for (const view of [views[0], views[3]]) {
    await lookAt(page, view)
    await keepScreenshot(page, `console-${name}-${view.width}-${view.colorScheme}`)
    expect(await findOverhang(page)).toBeLessThanOrEqual(0)
    expect(await findViolations(page)).toEqual([])
  }
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
  const ids = new Map<Role, string>()
  for (const role of roles) ids.set(role, await addConsoleUser(emailOf(role), given[role]))

  const newContext = (view: View = views[2]) => {
    const { width, height, colorScheme } = view
    return browser.newContext({ viewport: { width, height }, colorScheme })
  }
  const cookies = new Map<Role, Awaited<ReturnType<typeof startTestSession>>>()
  return {
    url,
    provider,
    browser,
    async openAs(role, view) {
      const context = await newContext(view)
      const page = await context.newPage()
      const cookie = cookies.get(role) ?? (await startTestSession(ids.get(role) ?? ''))
      cookies.set(role, cookie)
      await context.addCookies([{ ...cookie, url, httpOnly: true, sameSite: 'Lax' }])
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
