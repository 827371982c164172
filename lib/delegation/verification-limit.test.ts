import { expect, it } from 'vitest'
import { takeVerification, VERIFICATIONS_PER_MINUTE } from './verification-limit.ts'

it('an address has so many verifications in a minute, and others have their own', async () => {
  for (let count = 0; count < VERIFICATIONS_PER_MINUTE; count++) {
    expect(await takeVerification(`2001:db8::${count}`)).toBe(0)
  }
  expect(await takeVerification('2001:db8::ffff')).toBeGreaterThan(55)
  expect(await takeVerification('192.0.2.1')).toBe(0)
})
