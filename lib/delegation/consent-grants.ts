import { derivePageSecret, isPageSecret } from './page-token.ts'
import { findSession, type Login } from './user-session.ts'

/** What the forms of a page within the browser's session prove with their hidden field. */
const PURPOSE = 'grants'

/** Who looks at what they have allowed. */
export type GrantsViewer = {
  login: Login
  /** For the hidden field `session` of the page's forms. */
  formSecret: string
  /** `browser`: by the browser's session. `page`: by the page's own, which a login opened. */
  by: 'browser' | 'page'
  /** The browser's session is one account's, the page's another's. Only the User can say which it shall be. */
  conflict: { browser: Login; page: Login; pageSecret: string } | undefined
}

async function find(brandId: string, purpose: 'user' | 'grants', secret: string | undefined) {
  return secret === undefined ? undefined : findSession(brandId, purpose, secret)
}

function findConflict(browser: Login | undefined, page: Login | undefined, pageSecret: string | undefined) {
  if (!browser || !page || pageSecret === undefined) return undefined
  return browser.brandUserId === page.brandUserId ? undefined : { browser, page, pageSecret }
}

/**
 * Finds who opens the list by its address: the browser's session goes first, then that of a page which a login opened.
 *
 * @param cookies.userSession the browser's session, if it sent one
 * @param cookies.pageSecret the page's, if it sent one
 */
export async function findGrantsViewer(
  brandId: string,
  cookies: { userSession: string | undefined; pageSecret: string | undefined },
): Promise<GrantsViewer | undefined> {
  const { userSession, pageSecret } = cookies
  const [user, page] = await Promise.all([
    find(brandId, 'user', userSession),
    find(brandId, 'grants', pageSecret),
  ])
  const conflict = findConflict(user, page, pageSecret)
  if (user && userSession !== undefined) {
    return { login: user, formSecret: derivePageSecret(userSession, PURPOSE), by: 'browser', conflict }
  }
  return page && pageSecret !== undefined
    ? { login: page, formSecret: pageSecret, by: 'page', conflict }
    : undefined
}

/**
 * Finds who sent a form of the list: that of the browser's session, or that of a page of its own.
 *
 * @param formSecret the hidden field `session`
 * @param userSession the browser's session, if it sent one
 */
export async function findGrantsSender(
  brandId: string,
  formSecret: string,
  userSession: string | undefined,
): Promise<GrantsViewer | undefined> {
  const user = await find(brandId, 'user', userSession)
  if (user && userSession !== undefined && isPageSecret(formSecret, userSession, PURPOSE)) {
    return { login: user, formSecret, by: 'browser', conflict: undefined }
  }
  const page = await findSession(brandId, 'grants', formSecret)
  return page && { login: page, formSecret, by: 'page', conflict: findConflict(user, page, formSecret) }
}
