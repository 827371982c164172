import { findBrand } from '#lib/brands/registry.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { newGrantId } from './opaque-codes.ts'
import { keepDefined } from './scopes.ts'

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

type Transaction = Prisma.TransactionClient

type DecidedAuthorization = { personalAgentId: string; subject: string; requestedScopes: string[] }

/** Claims the decision: of two that are made at the same moment, one counts. Held until the transaction ends. */
async function claim(
  tx: Transaction,
  { brandId, authorizationId }: Decision,
  state: 'approved' | 'denied',
): Promise<DecidedAuthorization | undefined> {
  const rows = await tx.$queryRaw<DecidedAuthorization[]>`
    UPDATE "DeviceAuthorization" SET "state" = ${state}::"DeviceAuthorizationState", "decidedAt" = now()
    WHERE "id" = ${authorizationId}::uuid AND "brandId" = ${brandId} AND "state" = 'pending' AND "expiresAt" > now()
    RETURNING "personalAgentId", "subject", "requestedScopes"`
  return rows[0]
}

async function explainRefusal({ brandId, authorizationId }: Decision): Promise<DecisionRefused> {
  const where = { id: authorizationId, brandId }
  const found = await prisma().deviceAuthorization.findUnique({ where, select: { state: true } })
  return { ok: false, reason: found && found.state !== 'pending' ? 'used' : 'expired' }
}

/** A grant whose time is over makes room for the next one; what it allowed is over with it. */
async function supersedeExpired(
  tx: Transaction,
  { brandId, brandUserId }: Decision,
  { personalAgentId, subject }: DecidedAuthorization,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE "Grant" SET "revokedAt" = now(), "revokedBy" = 'expiry'
    WHERE "brandId" = ${brandId} AND "personalAgentId" = ${personalAgentId}::uuid AND "subject" = ${subject}
      AND "brandUserId" = ${brandUserId} AND "revokedAt" IS NULL AND "expiresAt" <= now()`
}

/**
 * Creates the grant or changes the one that counts: of the scopes that were shown it keeps those left checked, and what
 * was not shown stays as it is. Its time begins anew.
 */
async function storeGrant(
  tx: Transaction,
  { brandId, brandUserId, shown }: Decision,
  { personalAgentId, subject }: DecidedAuthorization,
  terms: { scopes: readonly string[]; grantTime: number },
): Promise<string> {
  const shownIds = shown.scopes.map(({ id }) => id)
  const rows = await tx.$queryRaw<{ id: string }[]>`
    INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
    VALUES (${newGrantId()}, ${brandId}, ${personalAgentId}::uuid, ${subject}, ${brandUserId}, ${terms.scopes},
      now() + ${terms.grantTime}::float8 * interval '1 millisecond')
    ON CONFLICT ("brandId", "personalAgentId", "subject", "brandUserId") WHERE "revokedAt" IS NULL
    DO UPDATE SET "expiresAt" = EXCLUDED."expiresAt", "scopes" = array(
      SELECT kept FROM unnest("Grant"."scopes") AS kept WHERE kept <> ALL (${shownIds}::text[])
      UNION ALL SELECT unnest(EXCLUDED."scopes"))
    RETURNING "id"`
  const id = rows[0]?.id
  if (id === undefined) throw new Error('the grant was not stored')
  return id
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

/**
 * Approves a device authorization (§5.3): the User's decision, the grant and the code's state in one transaction. The
 * grant is cumulative: of the scopes that were shown it has exactly those left checked. The code gets all of them.
 *
 * @param decision.scopes the ids left checked: at least one, each of them among `shown`. None checked is a denial
 * @returns `expired` when the code's time is over or the Brand no longer defines any of the scopes; `used` when it was
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
  const grantId = await prisma().$transaction(async (tx) => {
    const authorization = await claim(tx, decision, 'approved')
    if (!authorization) return undefined
    await supersedeExpired(tx, decision, authorization)
    const id = await storeGrant(tx, decision, authorization, { scopes, grantTime: delegation.grantTime })
    await tx.deviceAuthorization.update({
      where: { id: decision.authorizationId, brandId: decision.brandId },
      data: { grantId: id, grantedScopes: scopes },
    })
    await recordDecision(tx, decision, { approved: true, grantId: id, scopes })
    return id
  })
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

/** Takes scopes from the User's grant for the (personal agent, `sub`) of an authorization; without any left it ends. */
async function withdraw(
  tx: Transaction,
  { brandId, brandUserId }: Decision,
  { personalAgentId, subject }: DecidedAuthorization,
  scopes: readonly string[],
): Promise<void> {
  await tx.$executeRaw`
    WITH remaining AS (
      SELECT "id", array(SELECT kept FROM unnest("scopes") AS kept WHERE kept <> ALL (${scopes}::text[])) AS "scopes"
      FROM "Grant"
      WHERE "brandId" = ${brandId} AND "personalAgentId" = ${personalAgentId}::uuid AND "subject" = ${subject}
        AND "brandUserId" = ${brandUserId} AND "revokedAt" IS NULL
      FOR UPDATE
    )
    UPDATE "Grant" SET "scopes" = remaining."scopes",
      "revokedAt" = CASE WHEN remaining."scopes" = '{}' THEN now() END,
      "revokedBy" = CASE WHEN remaining."scopes" = '{}' THEN 'user' END
    FROM remaining WHERE "Grant"."id" = remaining."id"`
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
  const { withdrawn = [] } = decision
  const denied = await prisma().$transaction(async (tx) => {
    const authorization = await claim(tx, decision, 'denied')
    if (!authorization) return false
    if (withdrawn.length > 0) await withdraw(tx, decision, authorization, withdrawn)
    await recordDecision(tx, decision, { approved: false, scopes: [] })
    return true
  })
  return denied ? { ok: true } : explainRefusal(decision)
}
