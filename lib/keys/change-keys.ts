import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Prisma, SigningKey } from '#prisma/generated/client.ts'
import { buildKeyEntry } from './key-audit.ts'
import type { KeyChange, KeyFacts, KeyStep, SigningKeyState } from './lifecycle.ts'
import { getMasterKey } from './master-key.ts'
import { makeKey } from './new-key.ts'

/** Any constant will do: with a Brand's number it keeps processes that change that Brand's keys apart. */
const KEYS_LOCK = 5_311_907
/** How long a change may take, waiting for others included, in milliseconds. */
const TIME_LIMIT = 30_000

/** What rules decide by. */
export type KeySituation = {
  keys: KeyFacts[]
  /** The database's clock, in milliseconds since 1970. */
  now: number
  /** When the oldest receipt that is kept was issued, in milliseconds since 1970; undefined: none is kept. */
  oldestReceipt: number | undefined
}

type StoredFacts = Pick<SigningKey, 'id' | 'state' | 'createdAt' | 'activatedAt' | 'retiredAt'>

/** The columns that {@link toKeyFacts} needs. */
export const factColumns = {
  id: true,
  state: true,
  createdAt: true,
  activatedAt: true,
  retiredAt: true,
} as const satisfies Prisma.SigningKeySelect

/** A stored key as the rules see it. */
export function toKeyFacts({ id, state, createdAt, activatedAt, retiredAt }: StoredFacts): KeyFacts {
  return {
    kid: id,
    state,
    createdAt: createdAt.getTime(),
    activatedAt: activatedAt?.getTime(),
    retiredAt: retiredAt?.getTime(),
  }
}

/** When the oldest receipt of a Brand that is kept was issued: receipts have ids in the order of their time. */
export async function findOldestReceipt(
  brandId: string,
  client: Prisma.TransactionClient = prisma(),
): Promise<number | undefined> {
  const oldest = await client.receipt.findFirst({
    where: { brandId },
    orderBy: { id: 'asc' },
    select: { issuedAt: true },
  })
  return oldest?.issuedAt.getTime()
}

async function readSituation(transaction: Prisma.TransactionClient, brandId: string): Promise<KeySituation> {
  const rows = await transaction.signingKey.findMany({ where: { brandId }, select: factColumns })
  const oldestReceipt = await findOldestReceipt(brandId, transaction)
  const [clock] = await transaction.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS "now"`
  if (!clock) throw new Error('the database does not tell the time')
  return { keys: rows.map(toKeyFacts), now: clock.now.getTime(), oldestReceipt }
}

/** What a key loses and what is recorded when it comes to a state: a private key that signs no more is not kept. */
function columnsOf(to: SigningKeyState, at: Date): Prisma.SigningKeyUpdateInput {
  if (to === 'active') return { state: to, activatedAt: at }
  const ended = to === 'retired' ? { retiredAt: at } : { endedAt: at }
  return { state: to, sealedPrivate: null, ...ended }
}

async function write(
  transaction: Prisma.TransactionClient,
  brandId: string,
  step: KeyStep,
  { keys, now }: KeySituation,
): Promise<KeyChange> {
  const at = new Date(now)
  if ('make' in step) {
    const { kid, publicJwk, sealedPrivate } = await makeKey(brandId)
    const activatedAt = step.make === 'active' ? at : null
    await transaction.signingKey.create({
      data: { id: kid, brandId, state: step.make, publicJwk, sealedPrivate, createdAt: at, activatedAt },
    })
    return { kid, from: undefined, to: step.make }
  }
  await transaction.signingKey.update({ where: { id: step.kid, brandId }, data: columnsOf(step.to, at) })
  return { kid: step.kid, from: keys.find(({ kid }) => kid === step.kid)?.state, to: step.to }
}

async function changeIn(
  transaction: Prisma.TransactionClient,
  { brandId, actor }: { brandId: string; actor: Actor },
  plan: (situation: KeySituation) => readonly KeyStep[],
): Promise<KeyChange[]> {
  await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${KEYS_LOCK}::int, hashtext(${brandId}))`
  const situation = await readSituation(transaction, brandId)
  const changes: KeyChange[] = []
  for (const step of plan(situation)) changes.push(await write(transaction, brandId, step, situation))
  await appendAudit(
    transaction,
    changes.map((change) => buildKeyEntry(actor, brandId, change)),
  )
  return changes
}

/**
 * Changes a Brand's signing keys as `plan` decides from what is stored, all steps in one transaction. Processes take
 * turns, so that a plan never meets a state that another is about to change. Every process sees it within a second. The
 * audit log tells of each step.
 *
 * @param plan pure; what it throws ends the transaction, and nothing has changed
 * @returns what changed, in order
 * @throws MasterKeyError
 */
export async function changeKeys(
  of: { brandId: string; actor: Actor },
  plan: (situation: KeySituation) => readonly KeyStep[],
): Promise<KeyChange[]> {
  // Read from its file, if it is in one, before the transaction has begun.
  await getMasterKey()
  return prisma().$transaction((transaction) => changeIn(transaction, of, plan), {
    maxWait: TIME_LIMIT,
    timeout: TIME_LIMIT,
  })
}
