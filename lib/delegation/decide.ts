import { findBrand } from '#lib/brands/registry.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { keepDefined } from './scopes.ts'
import { BrandGoneError, storeGrant, type Transaction, withdrawFromGrant } from './store-grant.ts'

/** What the User was shown, word for word. Kept as it is; only the scopes' ids are read here. */
export type ShownConsent = { scopes: readonly { id: string }[]; [fact: string]: unknown }

/** One User's decision about one device authorization. */
export type Decision = {
  brandId: string
  authorizationId: string
  brandUserId: string
  shown: ShownConsent
}

export type DecisionRefused = { ok: false; reason: 'expired' | 'used' }

type DecidedAuthorization = { personalAgentId: string; subject: string }

/** Claims the decision: of two that are made at the same moment, one counts. Held until the transaction ends. */
async function claim(
  tx: Transaction,
  { brandId, authorizationId }: Decision,
  state: 'approved' | 'denied',
): Promise<DecidedAuthorization | undefined> {
  const rows = await tx.$queryRaw<DecidedAuthorization[]>`
    UPDATE "DeviceAuthorization" SET "state" = ${state}::"DeviceAuthorizationState", "decidedAt" = now()
    WHERE "id" = ${authorizationId}::uuid AND "brandId" = ${brandId} AND "state" = 'pending' AND "expiresAt" > now()
    RETURNING "personalAgentId", "subject"`
  return rows[0]
}

async function explainRefusal({ brandId, authorizationId }: Decision): Promise<DecisionRefused> {
  const where = { id: authorizationId, brandId }
  const found = await prisma().deviceAuthorization.findUnique({ where, select: { state: true } })
  return { ok: false, reason: found && found.state !== 'pending' ? 'used' : 'expired' }
}

async function recordDecision(
  tx: Transaction,
  { brandId, authorizationId, brandUserId, shown }: Decision,
  outcome: { approved: boolean; grantId?: string; scopes: readonly string[] },
): Promise<void> {
  const { approved, grantId = null, scopes } = outcome
  await tx.consentDecision.create({
    data: {
      brandId,
      deviceAuthorizationId: authorizationId,
      brandUserId,
      grantId,
      approved,
      shown: shown as Prisma.InputJsonObject,
      scopes: [...scopes],
    },
  })
}

async function unlessGone<T>(deciding: Promise<T>): Promise<T | undefined> {
  try {
    return await deciding
  } catch (error) {
    if (error instanceof BrandGoneError) return undefined
    throw error
  }
}

/**
 * Approves a device authorization (§5.3): the User's decision, the grant and the code's state in one transaction. The
 * grant is cumulative: of the scopes that were shown it has exactly those left checked. The code gets all of them.
 *
 * @param decision.scopes the ids left checked: at least one, each of them among `shown`. None checked is a denial
 * @returns `expired` when the code's time is over, the Brand is gone or no longer defines any of the scopes; `used` when it was
 *   decided before
 * @throws RangeError when `scopes` is empty or has one that was not shown
 */
export async function approveAuthorization(
  decision: Decision & { scopes: readonly string[] },
): Promise<{ ok: true; grantId: string } | DecisionRefused> {
  const shownIds = new Set(decision.shown.scopes.map(({ id }) => id))
  if (decision.scopes.length === 0 || decision.scopes.some((scope) => !shownIds.has(scope))) {
    throw new RangeError('scopes must be some of those that were shown')
  }
  const delegation = (await findBrand(decision.brandId))?.delegation
  const scopes = keepDefined(decision.scopes, delegation)
  if (!delegation || scopes.length === 0) return { ok: false, reason: 'expired' }
  const deciding = prisma().$transaction(async (tx) => {
    const authorization = await claim(tx, decision, 'approved')
    if (!authorization) return undefined
    const parties = { brandId: decision.brandId, brandUserId: decision.brandUserId, ...authorization }
    const terms = { shown: [...shownIds], checked: scopes, grantTime: delegation.grantTime }
    const id = await storeGrant(tx, parties, terms)
    await tx.deviceAuthorization.update({
      where: { id: decision.authorizationId, brandId: decision.brandId },
      data: { grantId: id, grantedScopes: scopes },
    })
    await recordDecision(tx, decision, { approved: true, grantId: id, scopes })
    return id
  })
  const grantId = await unlessGone(deciding)
  return grantId === undefined ? explainRefusal(decision) : { ok: true, grantId }
}

/**
 * Approves a device authorization without asking again (§5.3): a grant of this User for this very (personal agent, `sub`)
 * already has every scope. The code gets all that the grant has; the grant and its time stay as they are.
 *
 * @returns `expired` also when the grant does not cover the request any more; the authorization then stays open
 */
export async function approveByGrant(
  decision: Omit<Decision, 'shown'> & { grantId: string },
): Promise<{ ok: true; grantId: string } | DecisionRefused> {
  const { brandId, authorizationId, brandUserId, grantId } = decision
  const unshown: Decision = { ...decision, shown: { consent: 'skipped', scopes: [] } }
  const approved = await prisma().$transaction(async (tx) => {
    const rows = await tx.$queryRaw<{ scopes: string[] }[]>`
      UPDATE "DeviceAuthorization" a
      SET "state" = 'approved', "decidedAt" = now(), "grantId" = g."id", "grantedScopes" = g."scopes"
      FROM "Grant" g
      WHERE a."id" = ${authorizationId}::uuid AND a."brandId" = ${brandId} AND a."state" = 'pending'
        AND a."expiresAt" > now() AND g."id" = ${grantId} AND g."brandId" = a."brandId"
        AND g."personalAgentId" = a."personalAgentId" AND g."subject" = a."subject"
        AND g."brandUserId" = ${brandUserId} AND g."revokedAt" IS NULL AND g."expiresAt" > now()
        AND a."requestedScopes" <@ g."scopes"
      RETURNING a."grantedScopes" AS "scopes"`
    const scopes = rows[0]?.scopes
    if (scopes) await recordDecision(tx, unshown, { approved: true, grantId, scopes })
    return scopes !== undefined
  })
  return approved ? { ok: true, grantId } : explainRefusal(unshown)
}

/**
 * Denies a device authorization (§5.3); the personal agent's next poll gets `access_denied`.
 *
 * @param decision.withdrawn ids that the User had allowed before and unchecked as well: the grant loses them
 * @returns `expired` when the code's time is over, `used` when it was decided before
 */
export async function denyAuthorization(
  decision: Decision & { withdrawn?: readonly string[] },
): Promise<{ ok: true } | DecisionRefused> {
  const { brandId, brandUserId, withdrawn = [] } = decision
  const denied = await prisma().$transaction(async (tx) => {
    const authorization = await claim(tx, decision, 'denied')
    if (!authorization) return false
    if (withdrawn.length > 0)
      await withdrawFromGrant(tx, { brandId, brandUserId, ...authorization }, withdrawn)
    await recordDecision(tx, decision, { approved: false, scopes: [] })
    return true
  })
  return denied ? { ok: true } : explainRefusal(decision)
}
