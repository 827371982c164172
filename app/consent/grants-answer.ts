import { userPages } from '#lib/brands/user-pages.ts'
import type { GrantsViewer } from '#lib/delegation/consent-grants.ts'
import { endSessions, keepOrStartSession } from '#lib/delegation/user-session.ts'
import { answerProblem, answerSeeOther } from './answer.ts'
import { type OfferingBrand, showGrants } from './grants.tsx'
import { describeDone } from './take-back.ts'
import {
  buildGrantsPageCookie,
  buildUserSessionCookies,
  isFromOwnPage,
  readGrantsPage,
  readUserSession,
} from './user-session-cookie.ts'

/** Whether this browser keeps cookies, and sends them with this form: then a page of our own sent it. */
function keepsCookies(request: Request): boolean {
  const sent = readGrantsPage(request) ?? readUserSession(request)
  return sent !== undefined && isFromOwnPage(request)
}

/** The session that the browser gets from a page of its own; one that it has stays. */
async function startCookies(brandId: string, sender: GrantsViewer, userSession: string | undefined) {
  const session = await keepOrStartSession(brandId, sender.login, userSession)
  return session ? buildUserSessionCookies(brandId, session) : []
}

/**
 * What follows when something was taken back: the list again, at its own address where the browser has a session, so that
 * it can be loaded again. Without cookies, or with another account's session, the answer itself is the list.
 *
 * @param done the grant's id, or a word that is none
 */
export async function answerTaken(
  brand: OfferingBrand,
  sender: GrantsViewer,
  request: Request,
  done: string,
): Promise<Response> {
  const address = `${userPages(brand.id).grantsUrl}?done=${encodeURIComponent(done)}`
  if (sender.by === 'browser') return answerSeeOther(address, { brand })
  if (sender.conflict || !keepsCookies(request)) {
    return showGrants(brand, sender, { message: await describeDone(brand, done, sender.login.brandUserId) })
  }
  const cookies = await startCookies(brand.id, sender, readUserSession(request))
  return answerSeeOther(address, { brand, cookies })
}

/** The User has said which account it shall be: the browser's session is that of the page from here on. */
export async function changeAccount(
  brand: OfferingBrand,
  sender: GrantsViewer,
  request: Request,
): Promise<Response> {
  if (sender.by === 'browser' || !keepsCookies(request)) return showGrants(brand, sender)
  const cookies = await startCookies(brand.id, sender, undefined)
  return answerSeeOther(userPages(brand.id).grantsUrl, { brand, cookies })
}

/** Ends every session of the User; the browser's cookies go, unless they are another account's. */
export async function signOut(
  brand: OfferingBrand,
  sender: GrantsViewer,
  request: Request,
): Promise<Response> {
  await endSessions(brand.id, sender.login.brandUserId)
  const page = buildGrantsPageCookie(brand.id, undefined)
  const user = sender.conflict ? [] : buildUserSessionCookies(brand.id, undefined)
  const cookies = isFromOwnPage(request) ? [...user, page] : []
  return answerProblem('signed-out', { brand, cookies })
}
