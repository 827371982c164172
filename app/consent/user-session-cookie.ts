import { userPages } from '#lib/brands/user-pages.ts'
import type { BrowserSession } from '#lib/delegation/user-session.ts'
import { config } from '#lib/platform/config.ts'

/** How long a browser keeps the session of a page, in seconds; how long it counts is said elsewhere. */
const PAGE_COOKIE_LIFETIME = 600

type CookieName = 'pact-user' | 'pact-grants'

function isSecure(): boolean {
  return config().providerUrl.startsWith('https:')
}

/** The prefix makes browsers refuse a cookie of this name that did not come over TLS. */
function fullName(name: CookieName): string {
  return isSecure() ? `__Secure-${name}` : name
}

function readCookie(request: Request, wanted: CookieName): string | undefined {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === fullName(wanted) && value) return value
  }
  return undefined
}

function buildCookie(name: CookieName, value: string, path: string, life: number): string {
  const attributes = `Path=${path}; Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
  return `${fullName(name)}=${value}; ${attributes}`
}

/** The secret of the browser's session with this Brand's pages, if it sent one. Nothing is verified. */
export function readUserSession(request: Request): string | undefined {
  return readCookie(request, 'pact-user')
}

/** The secret of the page that a login opened on what is allowed, if the browser sent one. Nothing is verified. */
export function readGrantsPage(request: Request): string | undefined {
  return readCookie(request, 'pact-grants')
}

/** One Brand's pages have two addresses, and a cookie one path: so there are two of it. */
function userPaths(brandId: string): string[] {
  const { consentUrl, grantsUrl } = userPages(brandId)
  return [new URL(consentUrl).pathname, new URL(grantsUrl).pathname.replace(/\/grants$/, '')]
}

/** The `Set-Cookie` values that give a browser a session with one Brand's pages; without one that take it away. */
export function buildUserSessionCookies(brandId: string, session: BrowserSession | undefined): string[] {
  const { secret, secondsLeft } = session ?? { secret: '', secondsLeft: 0 }
  return userPaths(brandId).map((path) => buildCookie('pact-user', secret, path, secondsLeft))
}

/**
 * The `Set-Cookie` value by which the page that a login opened can be loaded again. It shows and takes back what is allowed,
 * and counts nowhere else: consent does not know it, so that a login which somebody else began can't decide as whom.
 */
export function buildGrantsPageCookie(brandId: string, secret: string | undefined): string {
  const path = new URL(userPages(brandId).grantsUrl).pathname
  return buildCookie('pact-grants', secret ?? '', path, secret === undefined ? 0 : PAGE_COOKIE_LIFETIME)
}

/**
 * True when the browser says that one of our own pages sent this request. No page's address is told to anyone, so that
 * `Origin` says nothing; `Sec-Fetch-Site` does.
 */
export function isFromOwnPage(request: Request): boolean {
  return request.headers.get('Sec-Fetch-Site') === 'same-origin'
}
