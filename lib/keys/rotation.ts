import type { Actor } from '#lib/access/audit.ts'
import { prisma } from '#lib/platform/database.ts'
import { changeKeys, type KeySituation } from './change-keys.ts'
import {
  findNext,
  type KeyChange,
  type Plan,
  planCompromise,
  planDue,
  planRetirement,
  planRotation,
  type Refusal,
  signsFrom,
} from './lifecycle.ts'

/** What is due by the clock, and whoever does not say who they are. */
const byItself: Actor = { kind: 'system', name: 'key schedule' }

/** A key can't be changed as asked. Nothing has changed. */
export class KeyRefusalError extends Error {
  override name = 'KeyRefusalError'
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(`The signing key can't be changed: ${refusal.because}`)
    this.refusal = refusal
  }
}

function stepsOf(plan: Plan) {
  if (!plan.ok) throw new KeyRefusalError(plan.refusal)
  return plan.steps
}

/**
 * Rotates a Brand's signing key, one step at a time: the first call publishes the next key; once that has been published
 * for as long as others may use their copy of the key set, the next call lets it sign, and retires the one before. A
 * running Provider does the second step by itself.
 *
 * @param options.force the new key signs at once
 * @returns what changed, and when the key that is published but does not sign yet may sign, in milliseconds since 1970
 */
export async function rotateKey(
  brandId: string,
  options: { force: boolean },
  actor: Actor = byItself,
): Promise<{ changes: KeyChange[]; waiting: { kid: string; signsFrom: number } | undefined }> {
  let before: KeySituation | undefined
  const changes = await changeKeys({ brandId, actor }, (situation) => {
    before = situation
    return planRotation(situation.keys, situation.now, options)
  })
  return { changes, waiting: findWaiting(changes, before) }
}

function findWaiting(changes: readonly KeyChange[], before: KeySituation | undefined) {
  if (!before || changes.some(({ to }) => to === 'active')) return undefined
  const made = changes.find(({ to }) => to === 'next')
  if (made) return { kid: made.kid, signsFrom: signsFrom({ createdAt: before.now }) }
  const next = findNext(before.keys)
  return next && { kid: next.kid, signsFrom: signsFrom(next) }
}

/**
 * Does what is due by the clock for a Brand's keys: publishes, activates and removes them.
 *
 * @param rotateEvery days that a key signs; null: until an operator rotates
 */
export function rotateIfDue(brandId: string, rotateEvery: number | null): Promise<KeyChange[]> {
  return changeKeys({ brandId, actor: byItself }, ({ keys, now, oldestReceipt }) =>
    planDue(keys, now, { rotateEvery, oldestReceipt }),
  )
}

async function getBrandOf(kid: string): Promise<string> {
  const key = await prisma().signingKey.findUnique({ where: { id: kid }, select: { brandId: true } })
  if (!key) throw new KeyRefusalError({ because: 'unknown-key' })
  return key.brandId
}

/** Takes one key out of service, as far as that goes without a request failing. @throws KeyRefusalError */
export async function retireKey(kid: string, actor: Actor = byItself): Promise<KeyChange[]> {
  return changeKeys({ brandId: await getBrandOf(kid), actor }, ({ keys, now, oldestReceipt }) =>
    stepsOf(planRetirement(keys, kid, now, oldestReceipt)),
  )
}

/** Ends a key whose private half others may have: within a second no process accepts its signatures. @throws KeyRefusalError */
export async function compromiseKey(kid: string, actor: Actor = byItself): Promise<KeyChange[]> {
  return changeKeys({ brandId: await getBrandOf(kid), actor }, ({ keys }) =>
    stepsOf(planCompromise(keys, kid)),
  )
}
