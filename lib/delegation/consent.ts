import type { Brand } from '#lib/brands/brand.ts'
import { log } from '#lib/platform/log.ts'
import { type Assertion, verifyAssertion } from './assertion.ts'
import { findEarlierOutcome } from './consent-choice.ts'
import {
  type ConsentStep,
  findSubject,
  PAGE_LIFETIME,
  problem,
  type Subject,
  showWithin,
} from './consent-step.ts'
import { approveByGrant } from './decide.ts'
import { findCoveringGrant } from './grants.ts'
import { noteTestedAssertion } from './login-test.ts'
import { readUserCode } from './opaque-codes.ts'
import { formatPageToken, pagePurpose } from './page-token.ts'
import { findDefined } from './scopes.ts'
import { findSession, redeemAssertion } from './user-session.ts'

/**
 * Opens the consent URL (§5.3) by a link: a User with a live session sees consent at once, everyone else logs in first.
 * Nothing changes.
 *
 * @param request.userCode as the link had it; undefined when it had none
 * @param request.userSession the browser's session, if it sent one
 * @param request.address the network address that it comes from, where it is known
 */
export async function openConsent(
  brand: Brand,
  request: { userCode: string | undefined; userSession: string | undefined; address: string | undefined },
): Promise<ConsentStep> {
  const { userSession, address } = request
  const userCode = request.userCode === undefined ? undefined : readUserCode(request.userCode)
  const account = userSession === undefined ? undefined : await findSession(brand.id, 'user', userSession)
  if (userSession === undefined || !account) return { kind: 'login', userCode }
  if (request.userCode === undefined) {
    return { kind: 'enter-code', account, pageToken: undefined, unknown: false }
  }
  if (userCode === undefined) return problem('unknown')
  const found = await findSubject(brand, account, { userCode, address })
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
  const scopes = findDefined(requestedScopes, brand.delegation)
  if (scopes.length !== requestedScopes.length) return undefined
  const grant = await findCoveringGrant({ ...parties, scopes })
  if (!grant) return undefined
  const decision = { brandId: brand.id, authorizationId, brandUserId, grantId: grant.id }
  if (!(await approveByGrant(decision)).ok) return undefined
  const outcome = await findEarlierOutcome(brand, authorizationId, brandUserId)
  return outcome && { kind: 'outcome', outcome, session: undefined }
}

/** A page that is for no code, or for none yet. Seen again, the list needs no login where the browser has its session. */
async function openOtherPage(
  brand: Brand,
  assertion: Assertion,
  purpose: 'grants' | 'enter-code',
): Promise<ConsentStep> {
  const session = purpose === 'grants' ? purpose : 'code'
  const opened = await redeemAssertion(
    { brandId: brand.id, purpose: session, lifetime: PAGE_LIFETIME },
    assertion,
  )
  if (!opened) return purpose === 'grants' ? { kind: 'see-grants' } : problem('replayed', purpose)
  const { secret, login } = opened
  if (purpose === 'grants') return { kind: 'grants', login, pageSecret: secret }
  return { kind: 'enter-code', account: login, pageToken: secret, unknown: false }
}

/**
 * Takes a Brand's login assertion (§5.3): once. The User sees the page that it is for, without any cookie; where consent is
 * skipped, the outcome.
 *
 * @param address the network address that it comes from, where it is known
 */
export async function acceptAssertion(brand: Brand, text: string, address?: string): Promise<ConsentStep> {
  if (await noteTestedAssertion(brand, text)) return { kind: 'login-tested' }
  const verified = await verifyAssertion(text, brand)
  if (!verified.ok) {
    log().info({ brandId: brand.id, reason: verified.fault }, 'a login assertion was refused')
    return problem(verified.fault, verified.purpose)
  }
  const { assertion } = verified
  const { account, purpose } = assertion
  if (typeof purpose === 'string') return openOtherPage(brand, assertion, purpose)
  const found = await findSubject(brand, account, { userCode: purpose.userCode, address })
  if ('kind' in found) return found
  const page = { authorizationId: found.authorization.id, digest: found.digest }
  const session = { brandId: brand.id, purpose: pagePurpose(page), lifetime: PAGE_LIFETIME }
  const opened = await redeemAssertion(session, assertion)
  if (!opened) return problem('replayed', purpose)
  const skipped = await skip(brand, assertion, found)
  const pageToken = formatPageToken(page, opened.secret)
  return skipped ?? { kind: 'consent', view: found.view, pageToken, changed: false }
}
