import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { approvedCode, letTimePass } from '#e2e/harness/device-codes.ts'
import { prisma } from '#lib/platform/database.ts'
import { redeemDeviceCode } from './redeem-device-code.ts'
import { refreshTokens } from './refresh.ts'
import { revokeToken } from './revoke.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

async function logIn() {
  const brand = await provider.brand()
  const { deviceCode, grantId } = await approvedCode(brand, provider.caller, ['orders:read'])
  const result = await redeemDeviceCode({ brand, caller: provider.caller, deviceCode })
  if (!result.ok) throw new Error(result.error)
  return { ...result.tokens, grantId }
}

async function revoke(token: string, caller = provider.caller) {
  return revokeToken({ brand: await provider.brand(), caller, token })
}

const revokedBy = async (grantId: string) =>
  (await prisma().grant.findUniqueOrThrow({ where: { id: grantId } })).revokedBy

describe('RFC 7009 a revocation', () => {
  it.each(['refreshToken', 'accessToken'] as const)('of the %s ends the whole grant', async (kind) => {
    const tokens = await logIn()
    await revoke(tokens[kind])
    expect(await revokedBy(tokens.grantId)).toBe('personal_agent')
  })

  it('of a refresh token that was used before ends the grant too', async () => {
    const { refreshToken, grantId } = await logIn()
    await refreshTokens({ brand: await provider.brand(), caller: provider.caller, refreshToken })
    await revoke(refreshToken)
    expect(await revokedBy(grantId)).toBe('personal_agent')
  })

  it('of a refresh token whose own time is over does not end what was allowed since', async () => {
    const { refreshToken, grantId } = await logIn()
    await letTimePass(20 * 86_400)
    expect((await logIn()).grantId).toBe(grantId)
    await letTimePass(20 * 86_400)
    await revoke(refreshToken)
    expect(await revokedBy(grantId)).toBeNull()
  })

  it('by anyone else, or of anything else, changes nothing (§2.2)', async () => {
    const { refreshToken, accessToken, grantId } = await logIn()
    for (const stranger of provider.strangers) {
      await revoke(refreshToken, stranger)
      await revoke(accessToken, stranger)
    }
    for (const token of ['rt_unknown', 'x.y.z', '\0', '']) await revoke(token)
    expect(await revokedBy(grantId)).toBeNull()
  })
})
