import { networkOf } from '#lib/platform/network-of.ts'
import { processState } from '#lib/platform/process-state.ts'
import { newLimiter, takeFrom } from './limiter.ts'

/** Attempts in a quarter of an hour. Those that succeed are given back. */
export const signInLimits = {
  /** At one account, from browsers that nobody has signed in with: however many addresses somebody has. */
  account: 20,
  /** From a browser that has signed in to the account: its owner is not locked out by what others do. */
  browser: 10,
  /** Many people may share an address. */
  address: 100,
  /** With a password of the form that is made here, from one address: what others do at the account does not lock it out. */
  made: 10,
  /** At the second factor of one account: whoever gets there knows the password. */
  secondFactor: 10,
} as const

const DURATION = 900

type Kind = keyof typeof signInLimits

/**
 * Who tries: `browserId` of a browser that has signed in to this account before; `made`: with a password of the form of
 * those that are made here, whatever the account's own is.
 */
export type Attempt = {
  account: string
  address?: string | undefined
  browserId?: string | undefined
  made?: boolean
}

const makeLimiter = (kind: Kind) =>
  newLimiter({ name: `sign-in-${kind}`, points: signInLimits[kind], seconds: DURATION })

function limiters() {
  return processState('sign-in-limits', () => ({
    account: makeLimiter('account'),
    browser: makeLimiter('browser'),
    made: makeLimiter('made'),
    address: makeLimiter('address'),
    secondFactor: makeLimiter('secondFactor'),
  }))
}

/** What an attempt takes from, in this order. A known browser has its own allowance, and needs no other. */
function bucketsOf({ account, address, browserId, made }: Attempt): [Kind, string][] {
  const network = address ? networkOf(address) : ''
  if (made) return [['made', `${account} ${network}`]]
  if (browserId) return [['browser', `${account} ${browserId}`]]
  return [...(address ? [['address', network] satisfies [Kind, string]] : []), ['account', account]]
}

async function takeAll(buckets: readonly [Kind, string][]): Promise<number> {
  for (const [kind, key] of buckets) {
    const wait = await takeFrom(limiters()[kind], key)
    if (wait > 0) return wait
  }
  return 0
}

/**
 * Counts an attempt to sign in, before anything is looked up: an account that does not exist is answered like one that
 * does.
 *
 * @returns whole minutes to wait; 0 when the attempt may go on
 */
export async function takeSignInAttempt(attempt: Attempt): Promise<number> {
  return Math.ceil((await takeAll(bucketsOf(attempt))) / 60_000)
}

/** Gives back what {@link takeSignInAttempt} took: it was the right password. */
export async function forgiveSignInAttempt(attempt: Attempt): Promise<void> {
  for (const [kind, key] of bucketsOf(attempt)) await limiters()[kind].reward(key)
}

/** As {@link takeSignInAttempt}, for codes after the password. Known browsers are counted apart here too. */
export async function takeSecondFactorAttempt({ account, browserId }: Attempt): Promise<number> {
  const key = browserId ? `${account} ${browserId}` : account
  return Math.ceil((await takeFrom(limiters().secondFactor, key)) / 60_000)
}
