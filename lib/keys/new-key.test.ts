import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { newBrandId } from '#lib/brands/new-brand-id.ts'
import { makeKey } from './new-key.ts'

beforeAll(() => {
  vi.stubEnv('PACT_MASTER_KEY', Buffer.alloc(32, 1).toString('base64'))
})
afterAll(() => {
  vi.unstubAllEnvs()
})

describe('a new signing key', () => {
  it('has a kid that a command line takes for no option', { timeout: 60_000 }, async () => {
    const brandId = newBrandId()
    // Of as many thumbprints six begin with a hyphen: that none does happens once in 500 runs.
    const kids = await Promise.all(Array.from({ length: 400 }, async () => (await makeKey(brandId)).kid))
    expect(kids.filter((kid) => kid.startsWith('-'))).toEqual([])
  })
})
