import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode } from '#e2e/harness/device-codes.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { pollStatement, redeemDeviceCode } from './redeem-device-code.ts'
import { refreshStatement, refreshTokens } from './refresh.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

/** From the moment that this statement has run, the Brand's key can't be opened. */
async function loseKeyAfter<T>({ name }: { name: string }, work: () => Promise<T>): Promise<T> {
  const where = { brandId: provider.brandId, state: 'active' } as const
  const { sealedPrivate } = await prisma().signingKey.findFirstOrThrow({ where })
  const original = pool().query
  pool().query = new Proxy(original, {
    async apply(target, self, args) {
      const result = await Reflect.apply(target, self, args)
      if (args[0]?.name !== name) return result
      await prisma().signingKey.updateMany({ where, data: { sealedPrivate: null } })
      forgetConfirmation()
      return result
    },
  })
  try {
    return await work()
  } finally {
    pool().query = original
    await prisma().signingKey.updateMany({ where, data: { sealedPrivate } })
    forgetConfirmation()
  }
}

describe('what a token request uses up is used up for tokens: nothing that can fail comes behind', () => {
  it('a code, and a refresh token', async () => {
    const { caller } = provider
    const brand = await provider.brand()
    const { deviceCode } = await approvedCode(brand, caller, ['orders:read'])
    const issued = await loseKeyAfter(pollStatement, () => redeemDeviceCode({ brand, caller, deviceCode }))
    expect(issued).toMatchObject({ ok: true })
    const refreshToken = issued.ok ? issued.tokens.refreshToken : ''
    const renewed = await loseKeyAfter(refreshStatement, () => refreshTokens({ brand, caller, refreshToken }))
    expect(renewed).toMatchObject({ ok: true })
  })
})
