import type { Kind } from './contract.ts'
import { BRAND_ID, DELEGATING_BRAND_ID } from './provision.ts'

/** A server under test. */
export type TargetName = 'floor' | 'lane' | 'next'

/** What a run measures of one kind: where it is sent, and to which servers. */
export type MeasuredKind = {
  kind: Exclude<Kind, 'mixed'>
  part: Part
  path: string
  targets: readonly TargetName[]
}

/** The two profiles of §7. */
export type Part = 'identity' | 'delegation'

export const parts: readonly Part[] = ['identity', 'delegation']
export const targetNames: readonly TargetName[] = ['floor', 'lane', 'next']

/** Next's door costs every operation the same: one of each content is enough. */
const withoutNext: readonly TargetName[] = ['floor', 'lane']

export const MESSAGE_PATH = `/a2a/${BRAND_ID}/message:send`
const delegating = `/a2a/${DELEGATING_BRAND_ID}`
const token = `${delegating}/oauth/token`

/** Everything that a run without `--only` measures, in this order. */
export const measuredKinds: readonly MeasuredKind[] = [
  { kind: 'new', part: 'identity', path: MESSAGE_PATH, targets: targetNames },
  { kind: 'continued', part: 'identity', path: MESSAGE_PATH, targets: targetNames },
  { kind: 'delegated', part: 'delegation', path: `${delegating}/message:send`, targets: targetNames },
  {
    kind: 'authorize',
    part: 'delegation',
    path: `${delegating}/oauth/device_authorization`,
    targets: withoutNext,
  },
  { kind: 'poll', part: 'delegation', path: token, targets: withoutNext },
  { kind: 'issue', part: 'delegation', path: token, targets: withoutNext },
  { kind: 'refresh', part: 'delegation', path: token, targets: withoutNext },
]

/** Which part a kind belongs to. */
export function partOf(kind: Kind): Part {
  return measuredKinds.find((measured) => measured.kind === kind)?.part ?? 'identity'
}

/** What `--only` leaves. Names of servers choose among servers; names of parts and kinds among what is sent. */
export function chooseMeasured(only: readonly string[] = []): {
  targets: readonly TargetName[]
  kinds: readonly MeasuredKind[]
} {
  const targets = targetNames.filter((name) => only.includes(name))
  const kinds = measuredKinds.filter(({ kind, part }) => only.includes(kind) || only.includes(part))
  return {
    targets: targets.length > 0 ? targets : targetNames,
    kinds: kinds.length > 0 ? kinds : measuredKinds,
  }
}
