import type { Brand } from '#lib/brands/brand.ts'
import type { Account, AssertionFault, LoginPurpose } from './assertion.ts'
import { takeCodeAttempt } from './code-attempts.ts'
import type { Outcome } from './consent-choice.ts'
import { buildConsentView, type ConsentView, digestView } from './consent-view.ts'
import { findOpenAuthorization, type OpenAuthorization } from './device-authorization.ts'
import { derivePageSecret, formatPageToken, pagePurpose } from './page-token.ts'
import { type BrowserSession, type Login, startSession } from './user-session.ts'

/** How long a page can be answered, in seconds: as long as the code it is about, at most. */
export const PAGE_LIFETIME = 600

/**
 * Why there is nothing to decide. `unknown`: no such code, or none that is the User's business. `again`: what another login
 * would be for, where that helps.
 */
export type ConsentProblem =
  | {
      problem: 'unknown' | 'expired' | 'used' | 'session-ended' | 'replayed' | AssertionFault
      again?: LoginPurpose | undefined
    }
  | { problem: 'too-many-attempts'; retryAfter: number }

/** What a User sees next. */
export type ConsentStep =
  /** To the Brand's login, for this code if there is one (its eight letters). */
  | { kind: 'login'; userCode: string | undefined }
  /** `pageToken`: of a page that knows its User without a cookie. `unknown`: what was typed is no code. */
  | { kind: 'enter-code'; account: Account; pageToken: string | undefined; unknown: boolean }
  /** `changed`: what was shown before is not right any more, so that it is shown again. */
  | { kind: 'consent'; view: ConsentView; pageToken: string; changed: boolean }
  /** Decided. `session`: one that this browser gets. */
  | { kind: 'outcome'; outcome: Outcome; session: BrowserSession | undefined }
  /** Logged in to see what is allowed, on a page that knows its User without a cookie. */
  | { kind: 'grants'; login: Login; pageSecret: string }
  /** On to what is allowed, with whatever session the browser has. */
  | { kind: 'see-grants' }
  /** Somebody tries the Brand's login from the console: nothing can be decided. */
  | { kind: 'login-tested' }
  | ({ kind: 'problem' } & ConsentProblem)

/** What can be decided: an authorization that is open, and the page about it. */
export type Subject = { authorization: OpenAuthorization; view: ConsentView; digest: string }

/** A page that says why there is nothing to decide. */
export function problem(
  name: Exclude<ConsentProblem['problem'], 'too-many-attempts'>,
  again?: LoginPurpose,
): ConsentStep {
  return { kind: 'problem', problem: name, again }
}

/**
 * What a logged-in User can decide about a user code (its eight letters), or what is said instead.
 *
 * @param tried.address the network address that the code comes from, where it is known
 */
export async function findSubject(
  brand: Brand,
  account: Account,
  { userCode, address }: { userCode: string; address: string | undefined },
): Promise<Subject | ConsentStep> {
  const attempt = takeCodeAttempt({ brandId: brand.id, brandUserId: account.brandUserId, address })
  if (!attempt.ok) return { kind: 'problem', problem: 'too-many-attempts', retryAfter: attempt.wait }
  const authorization = await findOpenAuthorization(brand.id, userCode)
  if (!authorization) return problem('unknown')
  attempt.giveBack()
  if (authorization.state !== 'pending') return problem('used')
  if (authorization.expired) return problem('expired')
  const view = await buildConsentView({ brand, authorization, account, userCode })
  return view ? { authorization, view, digest: digestView(view) } : problem('unknown')
}

/** A consent page that nothing is stored for: its secret comes from the browser's session. */
export function showWithin(userSession: string, { authorization, view, digest }: Subject): ConsentStep {
  const page = { authorizationId: authorization.id, digest }
  const pageToken = formatPageToken(page, derivePageSecret(userSession, pagePurpose(page)))
  return { kind: 'consent', view, pageToken, changed: false }
}

/** A consent page with a session of its own, which needs no cookie. */
export async function showOnItsOwn(
  brand: Brand,
  login: Login,
  { authorization, view, digest }: Subject,
  changed: boolean,
): Promise<ConsentStep> {
  const page = { authorizationId: authorization.id, digest }
  const session = { brandId: brand.id, purpose: pagePurpose(page), lifetime: PAGE_LIFETIME }
  const { secret } = await startSession(session, login)
  return { kind: 'consent', view, pageToken: formatPageToken(page, secret), changed }
}
