import 'server-only'
import { cookies } from 'next/headers'
import { cookieSecret } from '#lib/access/cookie-secret.ts'
import { knownBrowserCookieName, markBrowser, readBrowserMark } from '#lib/access/known-browser.ts'
import { config } from '#lib/platform/config.ts'

/** The longest that browsers keep a cookie, in seconds. */
const LIFETIME = 400 * 86_400

/** The id of this browser, if somebody has signed in to that account with it before. */
export async function readKnownBrowser(email: string): Promise<string | undefined> {
  const mark = (await cookies()).get(knownBrowserCookieName(email))?.value
  return readBrowserMark(mark, email, await cookieSecret())
}

/** Remembers that somebody has signed in to that account with this browser. Only in server actions and route handlers. */
export async function rememberBrowser(email: string): Promise<void> {
  if (await readKnownBrowser(email)) return
  const store = await cookies()
  store.set(knownBrowserCookieName(email), markBrowser(email, await cookieSecret()), {
    httpOnly: true,
    sameSite: 'lax',
    secure: config().providerUrl.startsWith('https:'),
    path: '/admin',
    maxAge: LIFETIME,
  })
}
