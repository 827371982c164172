import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { letTimePass } from '#e2e/harness/device-codes.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { findOpenAuthorization, startDeviceAuthorization } from './device-authorization.ts'
import { hashSecret } from './opaque-codes.ts'

let provider: Awaited<ReturnType<typeof openDelegatingDatabase>>

beforeAll(async () => {
  provider = await openDelegatingDatabase()
})
afterAll(() => provider.close())

async function start(scopes: string[] = ['orders:read']) {
  return startDeviceAuthorization({ brand: await provider.brand(), caller: provider.caller, scopes })
}

describe('§5.3, RFC 8628 §3.2 a device authorization', () => {
  it('says its codes, links and times', async () => {
    expect(await start()).toEqual({
      deviceCode: expect.stringMatching(/^dc_/),
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
      verificationUri: expect.stringMatching(/^https:\/\/brand\.example\/login\?lang=en&return_to=/),
      verificationUriComplete: expect.stringMatching(/%3Fuser_code%3D[A-Z]{4}-[A-Z]{4}$/),
      expiresIn: 600,
      interval: 5,
    })
  })

  it('is stored without its codes: SHA-256 only', async () => {
    const { deviceCode, userCode } = await start()
    const row = await prisma().deviceAuthorization.findUniqueOrThrow({
      where: { deviceCodeHash: Uint8Array.from(hashSecret(deviceCode)) },
    })
    expect(Buffer.from(row.userCodeHash)).toEqual(hashSecret(userCode.replace('-', '')))
    expect(JSON.stringify(row)).not.toContain(userCode)
    expect(row).toMatchObject({ subject: 'user-1', requestedScopes: ['orders:read'], state: 'pending' })
  })

  it('is found by its user code as somebody types it, at its own Brand alone', async () => {
    const { userCode } = await start(['orders:read', 'refunds:issue'])
    const typed = userCode.toLowerCase().replace('-', ' ')
    const { personalAgent, subject } = provider.caller
    expect(await findOpenAuthorization(provider.brandId, typed)).toEqual({
      id: expect.any(String),
      brandId: provider.brandId,
      personalAgentId: personalAgent.id,
      subject,
      requestedScopes: ['orders:read', 'refunds:issue'],
      state: 'pending',
      expired: false,
    })
    expect(await findOpenAuthorization(OTHER_BRAND_ID, userCode)).toBeUndefined()
    expect(await findOpenAuthorization(provider.brandId, 'nothing')).toBeUndefined()
  })

  it('expires after 600 s, by the clock of the database', async () => {
    const { userCode } = await start()
    await letTimePass(595)
    expect(await findOpenAuthorization(provider.brandId, userCode)).toMatchObject({ expired: false })
    await letTimePass(6)
    expect(await findOpenAuthorization(provider.brandId, userCode)).toMatchObject({ expired: true })
  })

  it('is refused for a Brand without delegation', async () => {
    const brand = { ...(await provider.brand()), delegation: undefined }
    await expect(startDeviceAuthorization({ brand, caller: provider.caller, scopes: [] })).rejects.toThrow()
  })
})
