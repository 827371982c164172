import { expect, it } from 'vitest'
import { forgiveSignInAttempt, signInLimits, takeSignInAttempt } from './sign-in-limits.ts'

async function take(attempt: Parameters<typeof takeSignInAttempt>[0], times: number): Promise<number> {
  let wait = 0
  for (let count = 0; count < times; count++) wait = await takeSignInAttempt(attempt)
  return wait
}

it('an account’s known browser has an allowance of its own, whatever others use up', async () => {
  const stranger = { account: 'a', address: '192.0.2.1' }
  expect(await take(stranger, signInLimits.account)).toBe(0)
  expect(await takeSignInAttempt(stranger)).toBe(15)
  expect(await takeSignInAttempt({ account: 'a', address: '192.0.2.2' })).toBe(15)
  const owner = { account: 'a', address: '192.0.2.1', browserId: 'b' }
  expect(await take(owner, signInLimits.browser)).toBe(0)
  expect(await takeSignInAttempt(owner)).toBe(15)
  expect(await takeSignInAttempt({ ...owner, browserId: 'c' })).toBe(0)
})

it('an address is limited over all accounts; an IPv6 network of 64 bits is one', async () => {
  for (let count = 0; count < signInLimits.address; count++) {
    const address = count % 2 ? '2001:db8::1' : `2001:db8:0:0:1:2:3:${count}`
    expect(await takeSignInAttempt({ account: `account ${count}`, address })).toBe(0)
  }
  expect(await takeSignInAttempt({ account: 'one more', address: '2001:db8::ffff' })).toBe(15)
  expect(await takeSignInAttempt({ account: 'one more', address: '2001:db8:0:1::1' })).toBe(0)
})

it('who signs in gets the attempt back', async () => {
  const attempt = { account: 'c', address: '192.0.2.9' }
  for (let count = 0; count < signInLimits.account * 2; count++) {
    expect(await takeSignInAttempt(attempt)).toBe(0)
    await forgiveSignInAttempt(attempt)
  }
})
