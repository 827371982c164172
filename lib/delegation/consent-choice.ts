import type { Brand } from '#lib/brands/brand.ts'
import { countTraffic } from '#lib/conversations/traffic.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Account } from './assertion.ts'
import { type ConsentView, describePersonalAgent } from './consent-view.ts'
import { approveAuthorization, denyAuthorization } from './decide.ts'
import { findGrant } from './grants.ts'
import { findDefined } from './scopes.ts'

/** What the User pressed, and which boxes were checked then. */
export type ConsentChoice = { decision: 'allow' | 'deny'; checked: readonly string[] }

/** What came of a consent page. */
export type Outcome = {
  status: 'approved' | 'denied'
  personalAgent: { name: string; issuer: string; origin: string }
  /** The personal agent's issuer, exactly. */
  client: string
  /** What the token will carry; none when it was denied. */
  scopes: { id: string; description: string }[]
  /** After a denial: what was allowed before and still is. */
  keeps: { id: string; description: string }[]
}

type Decided = { ok: true; outcome: Outcome; repeated: boolean } | { ok: false; reason: 'expired' | 'used' }

type Question = { authorizationId: string; account: Account; view: ConsentView; choice: ConsentChoice }

/**
 * What a decided authorization came to, for the User who decided it.
 *
 * @returns undefined when it is not decided, or was decided by another User
 */
export async function findEarlierOutcome(
  brand: Brand,
  authorizationId: string,
  brandUserId: string,
): Promise<Outcome | undefined> {
  const where = { id: authorizationId, brandId: brand.id }
  const found = await prisma().deviceAuthorization.findUnique({ where, include: { grant: true } })
  if (!found || found.state === 'pending') return undefined
  if (found.state !== 'denied' && found.grant?.brandUserId !== brandUserId) return undefined
  const { delegation } = brand
  const { personalAgentId, subject } = found
  const asker = await prisma().personalAgent.findUniqueOrThrow({ where: { id: personalAgentId } })
  const facts = { personalAgent: describePersonalAgent(asker), client: asker.issuer }
  if (found.state !== 'denied') {
    return { ...facts, status: 'approved', scopes: findDefined(found.grantedScopes, delegation), keeps: [] }
  }
  const kept = await findGrant({ brandId: brand.id, personalAgentId, subject, brandUserId })
  return { ...facts, status: 'denied', scopes: [], keeps: findDefined(kept?.scopes ?? [], delegation) }
}

/** The page, word for word, with every box as the User left it. */
function recordShown(view: ConsentView, { decision, checked }: ConsentChoice) {
  const scopes = view.scopes.map((scope) => ({
    ...scope,
    checkedAtFirst: true,
    checkedAtLast: checked.includes(scope.id),
  }))
  return { ...view, scopes, decision }
}

function sameScopes(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id))
}

/**
 * Decides a device authorization as the User chose on a page (§5.3). Nothing left checked is a denial, which also takes back
 * what was allowed before and was unchecked; pressing the button that denies takes nothing back.
 *
 * @returns the outcome, also where the same User had already decided the same (`repeated`); `used` when it was decided
 *   otherwise
 */
export async function decideConsent(brand: Brand, question: Question): Promise<Decided> {
  const { authorizationId, view, choice } = question
  const { brandUserId } = question.account
  const shownIds = view.scopes.map(({ id }) => id)
  const left = choice.decision === 'allow' ? shownIds.filter((id) => choice.checked.includes(id)) : []
  const decision = { brandId: brand.id, authorizationId, brandUserId, shown: recordShown(view, choice) }
  const withdrawn =
    choice.decision === 'allow' ? view.scopes.filter(({ allowedBefore }) => allowedBefore) : []
  const decided =
    left.length > 0
      ? await approveAuthorization({ ...decision, scopes: left })
      : await denyAuthorization({ ...decision, withdrawn: withdrawn.map(({ id }) => id) })
  if (!decided.ok && decided.reason === 'expired') return decided
  const outcome = await findEarlierOutcome(brand, authorizationId, brandUserId)
  const repeats =
    outcome !== undefined &&
    sameScopes(
      left,
      outcome.scopes.map(({ id }) => id),
    )
  if (!outcome || !(decided.ok || repeats)) return { ok: false, reason: 'used' }
  if (decided.ok) {
    countTraffic(left.length > 0 ? 'consent_approved' : 'consent_denied', { brandId: brand.id })
  }
  return { ok: true, outcome, repeated: !decided.ok }
}
