import { now } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { factColumns, findOldestReceipt, toKeyFacts } from './change-keys.ts'
import { type KeyFacts, planDue } from './lifecycle.ts'
import { rotateIfDue } from './rotation.ts'

/** Between two looks at the keys, in milliseconds. */
const PERIOD = 60_000

type BrandKeys = { brandId: string; rotateEvery: number | null; keys: KeyFacts[] }

async function listBrandKeys(): Promise<BrandKeys[]> {
  const rows = await prisma().signingKey.findMany({
    where: { state: { in: ['next', 'active', 'retired'] } },
    select: { ...factColumns, brandId: true, brand: { select: { rotateEveryDays: true } } },
  })
  const groups = Map.groupBy(rows, ({ brandId }) => brandId)
  return [...groups].map(([brandId, group]) => ({
    brandId,
    rotateEvery: group[0]?.brand.rotateEveryDays ?? null,
    keys: group.map(toKeyFacts),
  }))
}

/** True when a look without a lock finds something to do. */
async function isDue({ brandId, rotateEvery, keys }: BrandKeys): Promise<boolean> {
  const steps = planDue(keys, now(), { rotateEvery, oldestReceipt: undefined })
  if (!steps.some((step) => 'to' in step && step.to === 'removed')) return steps.length > 0
  const oldestReceipt = await findOldestReceipt(brandId)
  return planDue(keys, now(), { rotateEvery, oldestReceipt }).length > 0
}

/**
 * Does what is due by the clock for the signing keys of every Brand, in this process or in another at the same moment: once.
 * A Brand that fails does not keep others from their turn.
 */
export async function runDueRotations(): Promise<void> {
  for (const brand of await listBrandKeys()) {
    try {
      if (!(await isDue(brand))) continue
      const changes = await rotateIfDue(brand.brandId, brand.rotateEvery)
      for (const change of changes) log().info({ brandId: brand.brandId, ...change }, 'a signing key changed')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log().warn({ brandId: brand.brandId, reason }, 'the signing keys of a Brand could not be rotated')
    }
  }
}

/**
 * Looks after the signing keys every minute, for as long as the process serves.
 *
 * @returns what ends it, once a look that goes on has ended
 */
export function startKeyScheduler(): { stop(): Promise<void> } {
  let running: Promise<void> | undefined
  const look = () => {
    running ??= runDueRotations()
      .catch((error) => log().warn({ reason: error.message }, 'the signing keys could not be looked after'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(look, PERIOD)
  timer.unref()
  look()
  return {
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
