import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { setClock } from '#lib/platform/clock.ts'
import { processState } from '#lib/platform/process-state.ts'
import type { Caller } from './caller.ts'
import { takeFromBuckets } from './rate-limits.ts'
import type { LimitOverrides } from './schema.ts'

const limits = { perPersonalAgent: { requests: 6, perSeconds: 60 }, perUser: { requests: 4, perSeconds: 1 } }
let time = 0

beforeEach(() => {
  time = Date.now()
  setClock(() => time)
})
afterEach(() => setClock())

function playPersonalAgent(overrides?: LimitOverrides) {
  const personalAgent = {
    id: randomUUID(),
    issuer: 'https://pa.example.com',
    jwksUri: 'https://pa.example.com/jwks.json',
    name: 'Example',
    enabled: true,
    origin: 'registered' as const,
    limits: overrides,
  }
  return (subject: string): Caller => ({ personalAgent, subject })
}

/** How many of `count` requests at once are let through. */
async function admitted(caller: Caller, count: number) {
  const admissions = await Promise.all(Array.from({ length: count }, () => takeFromBuckets(caller, limits)))
  return admissions.filter(({ ok }) => ok).length
}

describe('§6: rate limits, in memory', () => {
  it('lets a User through as often as its bucket holds, and again as it refills', async () => {
    const user = playPersonalAgent({ perPersonalAgent: { requests: 100, perSeconds: 1 } })('a')
    expect(await admitted(user, 10)).toBe(4)
    time += 500
    expect(await admitted(user, 10)).toBe(2)
  })

  it('lets no second burst through at the edge of a window', async () => {
    const user = playPersonalAgent({ perPersonalAgent: { requests: 100, perSeconds: 1 } })('a')
    time += 990
    expect(await admitted(user, 10)).toBe(4)
    time += 20
    expect(await admitted(user, 10)).toBe(0)
  })

  it('says in whole seconds when the next request can go through, and it then does', async () => {
    const user = playPersonalAgent()('a')
    await admitted(user, 4)
    expect(await takeFromBuckets(user, limits)).toEqual({ ok: false, retryAfter: 1 })
    time += 1_000
    expect(await admitted(user, 10)).toBe(2)
    // The personal agent's bucket is empty: one request in ten seconds.
    expect(await takeFromBuckets(user, limits)).toEqual({ ok: false, retryAfter: 9 })
    time += 8_000
    expect(await takeFromBuckets(user, limits)).toEqual({ ok: false, retryAfter: 1 })
    time += 1_000
    expect(await takeFromBuckets(user, limits)).toEqual({ ok: true })
  })

  it('bounds all Users of one personal agent together, and leaves other personal agents alone', async () => {
    const user = playPersonalAgent()
    expect(await admitted(user('a'), 4)).toBe(4)
    expect(await admitted(user('b'), 4)).toBe(2)
    expect(await admitted(user('c'), 4)).toBe(0)
    expect(await admitted(playPersonalAgent()('a'), 4)).toBe(4)
  })

  it('a User that is refused uses up nothing that the others share', async () => {
    const user = playPersonalAgent()
    expect(await admitted(user('a'), 100)).toBe(4)
    expect(await admitted(user('b'), 2)).toBe(2)
  })

  it('takes the personal agent’s own limits where it has them', async () => {
    const user = playPersonalAgent({ perUser: { requests: 2, perSeconds: 1 } })
    expect(await admitted(user('a'), 9)).toBe(2)
    expect(await admitted(user('b'), 9)).toBe(2)
    expect(await admitted(user('c'), 9)).toBe(2)
    expect(await admitted(user('d'), 9)).toBe(0)
  })

  it('remembers no User by its sub, and a bounded number of them', async () => {
    const caller = playPersonalAgent()(`${'x'.repeat(240)}@example.com`)
    await admitted(caller, 1)
    const { users } = processState<{ users: { keys(): Iterable<string>; max: number } }>(
      'rate-limits',
      () => {
        throw new Error('there are no rate limits')
      },
    )
    const keys = [...users.keys()].filter((key) => key.startsWith(caller.personalAgent.id))
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}:[\w-]{22}$/)])
    expect(users.max).toBe(100_000)
  })

  it('a limit that is lowered holds at once', async () => {
    const user = playPersonalAgent({ perPersonalAgent: { requests: 100, perSeconds: 1 } })('a')
    await admitted(user, 1)
    const lowered = { ...limits, perUser: { requests: 1, perSeconds: 1 } }
    expect(await takeFromBuckets(user, lowered)).toEqual({ ok: true })
    expect(await takeFromBuckets(user, lowered)).toEqual({ ok: false, retryAfter: 1 })
  })
})
