import { userPages } from '#lib/brands/user-pages.ts'
import { USER_SESSION_LIFETIME } from '#lib/delegation/user-session.ts'
import { config } from '#lib/platform/config.ts'

function isSecure(): boolean {
  return config().providerUrl.startsWith('https:')
}

/** The prefix makes browsers refuse a cookie of this name that did not come over TLS. */
function cookieName(): string {
  return isSecure() ? '__Secure-pact-user' : 'pact-user'
}

/** The secret of the browser's session with this Brand's pages, if it sent one. Nothing is verified. */
export function readUserSession(request: Request): string | undefined {
  for (const pair of (request.headers.get('Cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === cookieName() && value) return value
  }
  return undefined
}

/** One Brand's pages have two addresses, and a cookie one path: so there are two of it. */
function cookiePaths(brandId: string): string[] {
  const { consentUrl, grantsUrl } = userPages(brandId)
  return [new URL(consentUrl).pathname, new URL(grantsUrl).pathname.replace(/\/grants$/, '')]
}

/** The `Set-Cookie` values that give a browser a session with one Brand's pages, or take it away. */
export function buildUserSessionCookies(brandId: string, secret: string | undefined): string[] {
  const life = secret === undefined ? 0 : USER_SESSION_LIFETIME
  const attributes = `Max-Age=${life}; HttpOnly; SameSite=Lax${isSecure() ? '; Secure' : ''}`
  return cookiePaths(brandId).map((path) => `${cookieName()}=${secret ?? ''}; Path=${path}; ${attributes}`)
}
