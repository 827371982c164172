import type { Brand } from '#lib/brands/brand.ts'
import { type ConsentChoice, decideConsent } from './consent-choice.ts'
import { type ConsentStep, findSubject, problem, showOnItsOwn } from './consent-step.ts'
import { buildConsentView, digestView } from './consent-view.ts'
import { findOpenAuthorization } from './device-authorization.ts'
import { readUserCode } from './opaque-codes.ts'
import { findPageLogin, readPageToken } from './page-token.ts'
import { findSession, keepOrStartSession } from './user-session.ts'

/** The page that was answered is not open any more; a login for the same code helps, where there is one. */
function sessionEnded(userCode: string | undefined): ConsentStep {
  return problem('session-ended', userCode === undefined ? undefined : { userCode })
}

/**
 * Takes a code that a User typed on a page which a login without a code opened (RFC 8628 §3.3).
 *
 * @param answer.pageToken the hidden field `session`
 * @param answer.address the network address that it comes from, where it is known
 */
export async function answerCode(
  brand: Brand,
  answer: { pageToken: string; userCode: string; address: string | undefined },
): Promise<ConsentStep> {
  const { pageToken, userCode: typed, address } = answer
  const login = await findSession(brand.id, 'code', pageToken)
  const userCode = readUserCode(typed)
  if (!login) return sessionEnded(userCode)
  const again = { kind: 'enter-code', account: login, pageToken, unknown: true } as const
  if (userCode === undefined) return again
  const found = await findSubject(brand, login, { userCode, address })
  if (!('kind' in found)) return showOnItsOwn(brand, login, found, false)
  return found.kind === 'problem' && found.problem === 'unknown' ? again : found
}

/**
 * Takes the User's decision. It counts only for the authorization, the User and the very texts of the page that it comes
 * from; where what the page said is not right any more, the User sees it again. A second click gets the first one's outcome.
 *
 * @param answer.pageToken the hidden field `session`
 * @param answer.userCode the hidden field that says which code the page showed
 * @param answer.userSession the browser's session, if it sent one
 * @param answer.fromOwnPage whether the browser says that one of our pages sent the form: only such a User has seen as whom
 *   they are logged in, and only then does the browser get a session
 */
export async function answerConsent(
  brand: Brand,
  answer: {
    pageToken: string
    userCode: string
    userSession: string | undefined
    fromOwnPage: boolean
    choice: ConsentChoice
  },
): Promise<ConsentStep> {
  const { userSession, fromOwnPage, choice } = answer
  const token = readPageToken(answer.pageToken)
  const login = token && (await findPageLogin(brand.id, token, userSession))
  const userCode = readUserCode(answer.userCode)
  if (!token || !login || userCode === undefined) return sessionEnded(userCode)
  const { authorizationId, digest } = token.page
  const authorization = await findOpenAuthorization(brand.id, userCode)
  if (authorization?.id !== authorizationId) return sessionEnded(undefined)
  const view = await buildConsentView({ brand, authorization, account: login, userCode })
  if (!view) return problem('unknown')
  if (authorization.state === 'pending' && digestView(view) !== digest) {
    return authorization.expired
      ? problem('expired')
      : showOnItsOwn(brand, login, { authorization, view, digest: digestView(view) }, true)
  }
  const decided = await decideConsent(brand, { authorizationId, account: login, view, choice })
  if (!decided.ok) return problem(decided.reason)
  const { outcome, repeated } = decided
  const getsSession = fromOwnPage && !repeated
  const session = getsSession ? await keepOrStartSession(brand.id, login, userSession) : undefined
  return { kind: 'outcome', outcome, session }
}
