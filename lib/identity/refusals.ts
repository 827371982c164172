import { type BatchedCounts, batchedCounts } from '#lib/platform/batched-counts.ts'
import { now } from '#lib/platform/clock.ts'
import type { CountedRefusals, Refusal } from './refusal.ts'
import { storeRefusals } from './store-refusals.ts'

/** The most kinds of refusal held at once; beyond, the personal agent is left out. */
const MAX_KINDS = 5_000
/** Beyond so many, a stranger's issuer and the Brand are left out: both are whatever a request says. */
const MAX_DETAILED = 1_000

function counts(): BatchedCounts<CountedRefusals> {
  return batchedCounts<CountedRefusals>('refused requests', storeRefusals, add)
}

/** The same with the detail left out that takes the most room; undefined when there is none. */
function withLessDetail(refused: CountedRefusals): CountedRefusals | undefined {
  if (refused.issuer || refused.brandId) return { ...refused, issuer: '', brandId: '' }
  return refused.personalAgentId ? { ...refused, personalAgentId: '' } : undefined
}

function add(refused: CountedRefusals): void {
  const held = counts()
  const { reason, personalAgentId, issuer, brandId } = refused
  const key = `${reason} ${personalAgentId} ${brandId} ${issuer}`
  const less = withLessDetail(refused)
  if (less && !held.has(key) && held.size() >= (issuer || brandId ? MAX_DETAILED : MAX_KINDS)) {
    add(less)
    return
  }
  held.add(key, refused, (known) => {
    known.count += refused.count
    known.at = Math.max(known.at, refused.at)
  })
}

/**
 * Counts a refused request, for the console's view of them. In memory at first: it costs the request nothing and can't
 * fail it.
 */
export function countRefusal({ reason, personalAgentId = '', issuer = '', brandId = '' }: Refusal): void {
  add({ reason, personalAgentId, issuer: personalAgentId ? '' : issuer, brandId, count: 1, at: now() })
}

/**
 * Stores what has been counted: every five seconds while there is something, and at shutdown. Never rejects: what can't be
 * stored is kept for the next time.
 */
export function flushRefusals(): Promise<void> {
  return counts().flush()
}
