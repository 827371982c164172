import { describe, expect, it } from 'vitest'
import {
  type KeyFacts,
  type KeyStep,
  PUBLISHED_FOR,
  planCompromise,
  planDue,
  planRetirement,
  planRotation,
  type SigningKeyState,
} from './lifecycle.ts'

const NOW = Date.UTC(2026, 8, 30)
const SECOND = 1_000
const HOUR = 3_600 * SECOND
const DAY = 24 * HOUR

/** A key that came to its state `age` milliseconds ago. */
function key(kid: string, state: SigningKeyState, age = 0): KeyFacts {
  const since = NOW - age
  return {
    kid,
    state,
    createdAt: state === 'next' ? since : since - PUBLISHED_FOR,
    activatedAt: state === 'active' ? since : undefined,
    retiredAt: state === 'retired' ? since : undefined,
  }
}

const swap: KeyStep[] = [
  { kid: 'old', to: 'retired' },
  { kid: 'new', to: 'active' },
]

describe('an operator’s rotation', () => {
  const cases: [string, KeyFacts[], KeyStep[], KeyStep[]][] = [
    ['no key at all', [], [{ make: 'active' }], [{ make: 'active' }]],
    ['only keys that ended', [key('x', 'compromised')], [{ make: 'active' }], [{ make: 'active' }]],
    [
      'one that signs',
      [key('old', 'active')],
      [{ make: 'next' }],
      [{ kid: 'old', to: 'retired' }, { make: 'active' }],
    ],
    ['a next one just published', [key('old', 'active'), key('new', 'next')], [], swap],
    [
      'a next one a second too young',
      [key('old', 'active'), key('new', 'next', PUBLISHED_FOR - SECOND)],
      [],
      swap,
    ],
    ['a next one old enough', [key('old', 'active'), key('new', 'next', PUBLISHED_FOR)], swap, swap],
    [
      'a next one and none that signs',
      [key('new', 'next')],
      [{ kid: 'new', to: 'active' }],
      [{ kid: 'new', to: 'active' }],
    ],
  ]
  it.each(cases)('with %s', (_, keys, steps, forced) => {
    expect(planRotation(keys, NOW)).toEqual(steps)
    expect(planRotation(keys, NOW, { force: true })).toEqual(forced)
  })
})

describe('what is due by the clock', () => {
  const none = { rotateEvery: null, oldestReceipt: undefined }
  const daily = { rotateEvery: 1, oldestReceipt: undefined }
  const cases: [string, KeyFacts[], Parameters<typeof planDue>[2], KeyStep[]][] = [
    ['nothing without a schedule', [key('old', 'active', 900 * DAY)], none, []],
    ['nothing before its time', [key('old', 'active', DAY - PUBLISHED_FOR - SECOND)], daily, []],
    ['the next key ahead of time', [key('old', 'active', DAY - PUBLISHED_FOR)], daily, [{ make: 'next' }]],
    ['one next key is enough', [key('old', 'active', 9 * DAY), key('new', 'next')], daily, []],
    ['the change', [key('old', 'active', DAY), key('new', 'next', PUBLISHED_FOR)], daily, swap],
    [
      'the change that an operator began',
      [key('old', 'active'), key('new', 'next', PUBLISHED_FOR)],
      none,
      swap,
    ],
    ['no removal while tokens live', [key('a', 'active'), key('old', 'retired', HOUR)], none, []],
    [
      'removal after the last token',
      [key('a', 'active'), key('old', 'retired', 2 * HOUR)],
      none,
      [{ kid: 'old', to: 'removed' }],
    ],
    [
      'no removal while its receipts are kept',
      [key('a', 'active'), key('old', 'retired', 90 * DAY)],
      { rotateEvery: null, oldestReceipt: NOW - 91 * DAY },
      [],
    ],
    [
      'removal when only later receipts are kept',
      [key('a', 'active'), key('old', 'retired', 90 * DAY)],
      { rotateEvery: null, oldestReceipt: NOW - 89 * DAY },
      [{ kid: 'old', to: 'removed' }],
    ],
    ['nothing of keys that ended', [key('a', 'active'), key('x', 'compromised', 90 * DAY)], none, []],
  ]
  it.each(cases)('%s', (_, keys, schedule, steps) => {
    expect(planDue(keys, NOW, schedule)).toEqual(steps)
  })
})

describe('retiring one key', () => {
  it('removes one that never signed', () => {
    expect(planRetirement([key('a', 'active'), key('n', 'next')], 'n', NOW, undefined)).toEqual({
      ok: true,
      steps: [{ kid: 'n', to: 'removed' }],
    })
  })

  it('replaces the active one only by one that others know', () => {
    const young = [key('old', 'active'), key('new', 'next', PUBLISHED_FOR - 1)]
    expect(planRetirement(young, 'old', NOW, undefined)).toEqual({
      ok: false,
      refusal: { because: 'no-successor' },
    })
    const known = [key('old', 'active'), key('new', 'next', PUBLISHED_FOR)]
    expect(planRetirement(known, 'old', NOW, undefined)).toEqual({ ok: true, steps: swap })
  })

  it('keeps a retired one while tokens or receipts need it', () => {
    const keys = [key('a', 'active'), key('r', 'retired', HOUR)]
    const until = NOW + 60 * SECOND
    expect(planRetirement(keys, 'r', NOW, undefined)).toEqual({
      ok: false,
      refusal: { because: 'needed', until },
    })
    expect(planRetirement(keys, 'r', until, NOW - DAY)).toEqual({
      ok: false,
      refusal: { because: 'needed', until: undefined },
    })
    expect(planRetirement(keys, 'r', until, undefined)).toEqual({
      ok: true,
      steps: [{ kid: 'r', to: 'removed' }],
    })
  })

  it.each(['removed', 'compromised'] as const)('refuses one that is %s', (state) => {
    expect(planRetirement([key('x', state)], 'x', NOW, undefined)).toEqual({
      ok: false,
      refusal: { because: 'ended', state },
    })
    expect(planCompromise([key('x', state)], 'x')).toEqual({
      ok: false,
      refusal: { because: 'ended', state },
    })
  })
})

describe('a compromise', () => {
  const compromised: KeyStep = { kid: 'x', to: 'compromised' }
  const cases: [string, KeyFacts[], KeyStep[]][] = [
    ['of the active key makes a new one sign', [key('x', 'active')], [compromised, { make: 'active' }]],
    [
      'of the active key lets the published one sign, however young',
      [key('x', 'active'), key('new', 'next')],
      [compromised, { kid: 'new', to: 'active' }],
    ],
    ['of the next key changes nothing else', [key('a', 'active'), key('x', 'next')], [compromised]],
    ['of a retired key changes nothing else', [key('a', 'active'), key('x', 'retired')], [compromised]],
  ]
  it.each(cases)('%s', (_, keys, steps) => {
    expect(planCompromise(keys, 'x')).toEqual({ ok: true, steps })
  })

  it('of a key of nobody is refused', () => {
    expect(planCompromise([key('a', 'active')], 'x')).toEqual({
      ok: false,
      refusal: { because: 'unknown-key' },
    })
  })
})
