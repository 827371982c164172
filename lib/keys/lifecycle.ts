/**
 * What happens to a Brand's signing keys, as pure rules over their states: *next* (published, does not sign yet) →
 * *active* (signs) → *retired* (verifies what it signed) → *removed*; *compromised* verifies nothing from that moment.
 * At most one key is active. Times are milliseconds since 1970.
 */
export type SigningKeyState = 'next' | 'active' | 'retired' | 'removed' | 'compromised'

/** A key, as far as its states go. */
export type KeyFacts = {
  kid: string
  state: SigningKeyState
  createdAt: number
  activatedAt: number | undefined
  retiredAt: number | undefined
}

/** One change: a new key, or an existing one in another state. In the order in which they must be written. */
export type KeyStep = { make: 'next' | 'active' } | { kid: string; to: Exclude<SigningKeyState, 'next'> }

/** A key whose state has changed; one that is new had none before. */
export type KeyChange = { kid: string; from: SigningKeyState | undefined; to: SigningKeyState }

/** Why a key stays as it is. */
export type Refusal =
  | { because: 'unknown-key' }
  | { because: 'ended'; state: SigningKeyState }
  | { because: 'no-successor' }
  | { because: 'needed'; until: number | undefined }

export type Plan = { ok: true; steps: KeyStep[] } | { ok: false; refusal: Refusal }

/** How long others may use a copy of a key set without asking again, in seconds (`Cache-Control: max-age`). */
export const JWKS_CACHE_SECONDS = 300
/** How long a key is published before it signs: every copy of the set that lacks it has then expired, with some room. */
export const PUBLISHED_FOR = (JWKS_CACHE_SECONDS + 10) * 1000
/** The longest that a delegation token lives (§5.4), with room for clocks and for processes that sign a moment longer. */
const LAST_TOKEN = 3_660_000

const DAY = 86_400_000

const findIn = (keys: readonly KeyFacts[], state: SigningKeyState) => keys.find((key) => key.state === state)

/** The newest of the keys that are published and do not sign yet. */
export function findNext(keys: readonly KeyFacts[]): KeyFacts | undefined {
  return keys.filter(({ state }) => state === 'next').sort((a, b) => b.createdAt - a.createdAt)[0]
}

/** When a key that is published may sign. */
export function signsFrom({ createdAt }: Pick<KeyFacts, 'createdAt'>): number {
  return createdAt + PUBLISHED_FOR
}

/** The old key gives way first: two are never active. */
function replaceActive(keys: readonly KeyFacts[], successor: KeyStep): KeyStep[] {
  const active = findIn(keys, 'active')
  return active ? [{ kid: active.kid, to: 'retired' }, successor] : [successor]
}

/**
 * A rotation that an operator asks for, one step at a time: publish the next key, and once it has been published long
 * enough, let it sign. No steps: it has not been published long enough.
 *
 * @param options.force without waiting: keys in hand of others may lack the new one for `JWKS_CACHE_SECONDS`
 */
export function planRotation(keys: readonly KeyFacts[], now: number, { force = false } = {}): KeyStep[] {
  const next = findNext(keys)
  if (!findIn(keys, 'active')) return [next ? { kid: next.kid, to: 'active' } : { make: 'active' }]
  if (!next) return force ? replaceActive(keys, { make: 'active' }) : [{ make: 'next' }]
  return force || now >= signsFrom(next) ? replaceActive(keys, { kid: next.kid, to: 'active' }) : []
}

/**
 * What is due by the clock alone: the next key is published ahead of time, signs when its time has come, and keys that
 * nothing needs any more go.
 *
 * @param schedule.rotateEvery days that a key signs; null: until an operator rotates
 * @param schedule.oldestReceipt when the oldest receipt that is kept was issued; undefined: none is
 */
export function planDue(
  keys: readonly KeyFacts[],
  now: number,
  schedule: { rotateEvery: number | null; oldestReceipt: number | undefined },
): KeyStep[] {
  const removals = keys
    .filter((key) => key.state === 'retired' && !isNeeded(key, now, schedule.oldestReceipt))
    .map(({ kid }): KeyStep => ({ kid, to: 'removed' }))
  return [...planDueRotation(keys, now, schedule.rotateEvery), ...removals]
}

function planDueRotation(keys: readonly KeyFacts[], now: number, rotateEvery: number | null): KeyStep[] {
  const active = findIn(keys, 'active')
  if (!active) return []
  const next = findNext(keys)
  if (next) return now >= signsFrom(next) ? replaceActive(keys, { kid: next.kid, to: 'active' }) : []
  if (rotateEvery === null) return []
  const due = (active.activatedAt ?? active.createdAt) + rotateEvery * DAY
  return now >= due - PUBLISHED_FOR ? [{ make: 'next' }] : []
}

/** Tokens live an hour; receipts are verifiable for as long as they are kept, and are signed in the order of their ids. */
function isNeeded(key: KeyFacts, now: number, oldestReceipt: number | undefined): boolean {
  const until = neededUntil(key)
  return now < until || (oldestReceipt !== undefined && oldestReceipt < until)
}

function neededUntil({ retiredAt, createdAt }: KeyFacts): number {
  return (retiredAt ?? createdAt) + LAST_TOKEN
}

function findLiving(keys: readonly KeyFacts[], kid: string): KeyFacts | Refusal {
  const key = keys.find((each) => each.kid === kid)
  if (!key) return { because: 'unknown-key' }
  if (key.state === 'removed' || key.state === 'compromised') return { because: 'ended', state: key.state }
  return key
}

/**
 * Takes one key out of service in order, as far as that goes: a key that never signed is removed; the active one retires
 * when its successor may sign; a retired one is removed when nothing needs it any more.
 *
 * @param oldestReceipt when the oldest receipt that is kept was issued; undefined: none is
 */
export function planRetirement(
  keys: readonly KeyFacts[],
  kid: string,
  now: number,
  oldestReceipt: number | undefined,
): Plan {
  const key = findLiving(keys, kid)
  if ('because' in key) return { ok: false, refusal: key }
  if (key.state === 'next') return { ok: true, steps: [{ kid, to: 'removed' }] }
  if (key.state === 'active') {
    const next = findNext(keys)
    if (!next || now < signsFrom(next)) return { ok: false, refusal: { because: 'no-successor' } }
    return { ok: true, steps: replaceActive(keys, { kid: next.kid, to: 'active' }) }
  }
  if (!isNeeded(key, now, oldestReceipt)) return { ok: true, steps: [{ kid, to: 'removed' }] }
  const until = neededUntil(key)
  return { ok: false, refusal: { because: 'needed', until: now < until ? until : undefined } }
}

/** Somebody else may have the private key: it verifies nothing any more, and where it signed, another does at once. */
export function planCompromise(keys: readonly KeyFacts[], kid: string): Plan {
  const key = findLiving(keys, kid)
  if ('because' in key) return { ok: false, refusal: key }
  const step: KeyStep = { kid, to: 'compromised' }
  if (key.state !== 'active') return { ok: true, steps: [step] }
  const next = findNext(keys)
  return { ok: true, steps: [step, next ? { kid: next.kid, to: 'active' } : { make: 'active' }] }
}
