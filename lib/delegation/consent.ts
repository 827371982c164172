import type { Brand } from '#lib/brands/brand.ts'
import { log } from '#lib/platform/log.ts'
import { type Account, type Assertion, type AssertionFault, verifyAssertion } from './assertion.ts'
import { codeAttemptWait, countWrongCode } from './code-attempts.ts'
import { type ConsentChoice, decideConsent, findEarlierOutcome, type Outcome } from './consent-choice.ts'
import { buildConsentView, type ConsentView, digestView } from './consent-view.ts'
import { approveByGrant } from './decide.ts'
import { findOpenAuthorization, type OpenAuthorization } from './device-authorization.ts'
import { findCoveringGrant } from './grants.ts'
import { readUserCode } from './opaque-codes.ts'
import {
  derivePageSecret,
  findPageAccount,
  formatPageToken,
  pagePurpose,
  readPageToken,
} from './page-token.ts'
import { findSession, redeemAssertion, startSession, USER_SESSION_LIFETIME } from './user-session.ts'

/** How long a consent page can be answered, in seconds: as long as the code it is about, at most. */
const PAGE_LIFETIME = 600

/** Why there is nothing to decide. `unknown`: no such code, or none that is the User's business. */
export type ConsentProblem =
  | { problem: 'unknown' | 'expired' | 'used' | 'session-ended' | 'replayed' | AssertionFault }
  | { problem: 'too-many-attempts'; retryAfter: number }

/** What a User sees next. */
export type ConsentStep =
  /** To the Brand's login, for this code if there is one (its eight letters). */
  | { kind: 'login'; userCode: string | undefined }
  | { kind: 'enter-code' }
  /** `changed`: what was shown before is not right any more, so that it is shown again. */
  | { kind: 'consent'; view: ConsentView; pageToken: string; changed: boolean }
  /** Decided. `userSession`: the secret of a session that this browser gets. */
  | { kind: 'outcome'; outcome: Outcome; userSession: string | undefined }
  /** Logged in to see what is allowed. */
  | { kind: 'grants'; account: Account; userSession: string }
  | ({ kind: 'problem' } & ConsentProblem)

type Subject = { authorization: OpenAuthorization; view: ConsentView; digest: string }

function problem(name: Exclude<ConsentProblem['problem'], 'too-many-attempts'>): ConsentStep {
  return { kind: 'problem', problem: name }
}

/** What a logged-in User can decide about a user code (its eight letters), or what is said instead. */
async function findSubject(brand: Brand, account: Account, userCode: string): Promise<Subject | ConsentStep> {
  const retryAfter = codeAttemptWait(brand.id, account.brandUserId)
  if (retryAfter > 0) return { kind: 'problem', problem: 'too-many-attempts', retryAfter }
  const authorization = await findOpenAuthorization(brand.id, userCode)
  const isOpen = authorization?.state === 'pending' && !authorization.expired
  if (!isOpen) countWrongCode(brand.id, account.brandUserId)
  if (!authorization) return problem('unknown')
  if (!isOpen) return problem(authorization.state === 'pending' ? 'expired' : 'used')
  const view = await buildConsentView({ brand, authorization, account, userCode })
  return view ? { authorization, view, digest: digestView(view) } : problem('unknown')
}

/** A page that nothing is stored for: its secret comes from the browser's session. */
function showWithin(userSession: string, { authorization, view, digest }: Subject): ConsentStep {
  const page = { authorizationId: authorization.id, digest }
  const pageToken = formatPageToken(page, derivePageSecret(userSession, pagePurpose(page)))
  return { kind: 'consent', view, pageToken, changed: false }
}

/**
 * Opens the consent URL (§5.3) by a link: a User with a live session sees consent at once, everyone else logs in first.
 * Nothing changes.
 *
 * @param request.userCode as the link had it; undefined when it had none
 * @param request.userSession the browser's session, if it sent one
 */
export async function openConsent(
  brand: Brand,
  request: { userCode: string | undefined; userSession: string | undefined },
): Promise<ConsentStep> {
  const { userSession } = request
  const userCode = request.userCode === undefined ? undefined : readUserCode(request.userCode)
  const account = userSession === undefined ? undefined : await findSession(brand.id, 'user', userSession)
  if (userSession === undefined || !account) return { kind: 'login', userCode }
  if (request.userCode === undefined) return { kind: 'enter-code' }
  const retryAfter = codeAttemptWait(brand.id, account.brandUserId)
  if (userCode === undefined && retryAfter === 0) return problem('unknown')
  const found = await findSubject(brand, account, userCode ?? '')
  return 'kind' in found ? found : showWithin(userSession, found)
}

/** §5.3: consent is skipped where the same grant, for the same (personal agent, `sub`), covers all that is asked. */
async function skip(
  brand: Brand,
  { account }: Assertion,
  { authorization }: Subject,
): Promise<ConsentStep | undefined> {
  const { brandUserId } = account
  const { id: authorizationId, personalAgentId, subject, requestedScopes } = authorization
  const parties = { brandId: brand.id, personalAgentId, subject, brandUserId }
  const grant = await findCoveringGrant({ ...parties, scopes: requestedScopes })
  if (!grant) return undefined
  const decision = { brandId: brand.id, authorizationId, brandUserId, grantId: grant.id }
  if (!(await approveByGrant(decision)).ok) return undefined
  const outcome = await findEarlierOutcome(brand, authorizationId, brandUserId)
  return outcome && { kind: 'outcome', outcome, userSession: undefined }
}

async function openGrants(brand: Brand, assertion: Assertion): Promise<ConsentStep> {
  const session = { brandId: brand.id, purpose: 'user', lifetime: USER_SESSION_LIFETIME } as const
  const userSession = await redeemAssertion(session, assertion)
  return userSession === undefined
    ? problem('replayed')
    : { kind: 'grants', account: assertion.account, userSession }
}

/**
 * Takes a Brand's login assertion (§5.3): once. The User sees consent for the code that it is bound to, without any cookie;
 * where consent is skipped, the outcome.
 */
export async function acceptAssertion(brand: Brand, text: string): Promise<ConsentStep> {
  const verified = await verifyAssertion(text, brand)
  if (!verified.ok) {
    log().info({ brandId: brand.id, reason: verified.fault }, 'a login assertion was refused')
    return problem(verified.fault)
  }
  const { assertion } = verified
  const { account, purpose } = assertion
  if (purpose === 'grants') return openGrants(brand, assertion)
  const found = await findSubject(brand, account, purpose.userCode)
  if ('kind' in found) return found
  const page = { authorizationId: found.authorization.id, digest: found.digest }
  const session = { brandId: brand.id, purpose: pagePurpose(page), lifetime: PAGE_LIFETIME }
  const secret = await redeemAssertion(session, assertion)
  if (secret === undefined) return problem('replayed')
  const skipped = await skip(brand, assertion, found)
  const pageToken = formatPageToken(page, secret)
  return skipped ?? { kind: 'consent', view: found.view, pageToken, changed: false }
}

/** The same question in its present form, on a page with a session of its own. */
async function showAgain(brand: Brand, account: Account, { authorization, view, digest }: Subject) {
  const page = { authorizationId: authorization.id, digest }
  const session = { brandId: brand.id, purpose: pagePurpose(page), lifetime: PAGE_LIFETIME }
  const pageToken = formatPageToken(page, await startSession(session, account))
  return { kind: 'consent', view, pageToken, changed: true } as const
}

/**
 * Takes the User's decision. It counts only for the authorization, the User and the very texts of the page that it comes
 * from; where what the page said is not right any more, the User sees it again. A second click gets the first one's outcome.
 *
 * @param answer.pageToken the hidden field `session`
 * @param answer.userCode the hidden field that says which code the page showed
 * @param answer.userSession the browser's session, if it sent one
 */
export async function answerConsent(
  brand: Brand,
  answer: { pageToken: string; userCode: string; userSession: string | undefined; choice: ConsentChoice },
): Promise<ConsentStep> {
  const token = readPageToken(answer.pageToken)
  const account = token && (await findPageAccount(brand.id, token, answer.userSession))
  const userCode = readUserCode(answer.userCode)
  if (!token || !account || userCode === undefined) return problem('session-ended')
  const { authorizationId, digest } = token.page
  const authorization = await findOpenAuthorization(brand.id, userCode)
  if (authorization?.id !== authorizationId) return problem('session-ended')
  const view = await buildConsentView({ brand, authorization, account, userCode })
  if (!view) return problem('unknown')
  if (authorization.state === 'pending' && digestView(view) !== digest) {
    return authorization.expired
      ? problem('expired')
      : showAgain(brand, account, { authorization, view, digest: digestView(view) })
  }
  const decided = await decideConsent(brand, { authorizationId, account, view, choice: answer.choice })
  if (!decided.ok) return problem(decided.reason)
  // The User has seen on this page as whom they are logged in: only then does the browser get a session.
  const session = { brandId: brand.id, purpose: 'user', lifetime: USER_SESSION_LIFETIME } as const
  return {
    kind: 'outcome',
    outcome: decided.outcome,
    userSession: await startSession(session, account),
  }
}
