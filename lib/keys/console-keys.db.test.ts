import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { keyBrandsSchema } from './brand-list-schema.ts'
import { getKey, readKeyTimeline } from './key-timeline.ts'
import { listBrandKeys } from './list-brand-keys.ts'
import { compromiseBrandKey, retireBrandKey, rotateBrandKey } from './manage-keys.ts'
import { KeyRefusalError } from './rotation.ts'
import { getSigner } from './signer.ts'

let sender: Awaited<ReturnType<typeof startDelegatedSender>>

const person = (providerRole: ProviderRole | null, brandRoles: Record<string, BrandRole> = {}): Viewer => ({
  userId: '01890000-0000-7000-8000-000000000000',
  email: 'someone@provider.example',
  name: null,
  providerRole,
  brandRoles: new Map(Object.entries(brandRoles)),
})
const admin = person('admin')
const auditor = person('auditor')
const manager = person(null, { [BRAND_ID]: 'manager' })
const viewer = person(null, { [BRAND_ID]: 'viewer' })
const stranger = person(null, { [OTHER_BRAND_ID]: 'manager' })
const actor: Actor = { kind: 'user', name: 'someone@provider.example', address: '192.0.2.7' }
const by = (who: Viewer) => ({ viewer: who, actor })

beforeAll(async () => {
  log().level = 'silent'
  sender = await startDelegatedSender()
  await getSigner(OTHER_BRAND_ID)
}, 60_000)
afterAll(() => sender.close())
beforeEach(() => forgetConfirmation())

const activeKid = async (brandId = BRAND_ID) => (await getSigner(brandId)).kid

/** A refresh token as issuing leaves it, with the access token that goes with it. */
async function storeToken(grantId: string, issuedAt = new Date()): Promise<void> {
  const tokenHash = crypto.getRandomValues(new Uint8Array(32))
  const expiresAt = new Date(Date.now() + 86_400_000)
  await prisma().refreshToken.create({
    data: { tokenHash, brandId: BRAND_ID, grantId, scopes: ['orders:read'], issuedAt, expiresAt },
  })
}

describe('who sees and changes which keys', () => {
  it('shows a viewer the keys of their Brands alone', async () => {
    const own = await activeKid()
    expect((await readKeyTimeline(viewer, BRAND_ID)).keys).toMatchObject([{ kid: own, state: 'active' }])
    expect((await getKey(auditor, own)).brand.id).toBe(BRAND_ID)
    await expect(readKeyTimeline(stranger, BRAND_ID)).rejects.toThrow(ForbiddenError)
    await expect(getKey(stranger, own)).rejects.toThrow(ForbiddenError)
    await expect(getKey(admin, 'x'.repeat(43))).rejects.toThrow(ForbiddenError)
    await expect(getKey(admin, "' OR 1")).rejects.toThrow(ForbiddenError)
    await expect(readKeyTimeline(admin, '01KAA0B5V7N2E6Y4D8GH5RPKQ0')).rejects.toThrow(ForbiddenError)
  })

  it('lets neither viewers, auditors nor people of another Brand change one, by any Brand’s id', async () => {
    const own = await activeKid()
    for (const who of [viewer, auditor, stranger]) {
      await expect(rotateBrandKey(by(who), BRAND_ID, { force: true })).rejects.toThrow(ForbiddenError)
      await expect(retireBrandKey(by(who), BRAND_ID, own)).rejects.toThrow(ForbiddenError)
      await expect(compromiseBrandKey(by(who), BRAND_ID, own)).rejects.toThrow(ForbiddenError)
    }
    await expect(compromiseBrandKey(by(stranger), OTHER_BRAND_ID, own)).rejects.toThrow(ForbiddenError)
    expect(await activeKid()).toBe(own)
  })

  it('never shows a private half', async () => {
    const { keys, jwks } = await readKeyTimeline(admin, BRAND_ID)
    expect(JSON.stringify([keys, jwks])).not.toMatch(/sealed|private|"d":/i)
  })
})

describe('the list of Brands and their keys', () => {
  const names = async (who: Viewer, query: Record<string, unknown> = {}) =>
    (await listBrandKeys(who, keyBrandsSchema.parse(query))).rows.map(({ name }) => name)

  it('shows a viewer only the Brands that are theirs, and finds a part of a name', async () => {
    expect(await names(admin)).toEqual(['Loom & Thread', 'Northlight Energy'])
    expect(await names(viewer)).toEqual(['Loom & Thread'])
    expect(await names(admin, { q: 'LIGHT' })).toEqual(['Northlight Energy'])
    expect(await names(admin, { q: '%' })).toEqual([])
    await expect(names(person(null))).rejects.toThrow(ForbiddenError)
  })

  it('goes on beside a Brand, in both directions', async () => {
    expect(await names(admin, { after: BRAND_ID })).toEqual(['Northlight Energy'])
    expect(await names(admin, { before: OTHER_BRAND_ID })).toEqual(['Loom & Thread'])
    expect(await names(admin, { after: 'nonsense', before: ['x'] })).toHaveLength(2)
  })
})

describe('what hangs on a key', () => {
  it('counts its receipts and live tokens, and none of another key or Brand', async () => {
    const first = await activeKid()
    const { subject, token, grantId } = await sender.allow('orders:read')
    await sender.send('show my orders', { subject, token })
    await sender.send('show my orders', { subject, token })
    await storeToken(grantId)
    await storeToken(grantId, new Date(Date.now() - 3_601_000))
    await pool().query(`UPDATE "SigningKey" SET "activatedAt" = "activatedAt" - interval '1 day'`)
    expect((await getKey(admin, first)).signingKey.use).toEqual({ tokens: 1, receipts: 2 })
    await rotateBrandKey(by(manager), BRAND_ID, { force: true })
    forgetConfirmation()
    const second = await activeKid()
    expect(second).not.toBe(first)
    await sender.send('show my orders', { subject, token: await sender.tokenFor(grantId, ['orders:read']) })
    await storeToken(grantId, new Date(Date.now() + 1_000))
    expect((await getKey(admin, first)).signingKey.use).toEqual({ tokens: 1, receipts: 2 })
    expect((await getKey(admin, second)).signingKey.use).toEqual({ tokens: 1, receipts: 1 })
    expect((await getKey(admin, await activeKid(OTHER_BRAND_ID))).signingKey.use).toEqual({
      tokens: 0,
      receipts: 0,
    })
    await prisma().grant.update({ where: { id: grantId }, data: { revokedAt: new Date() } })
    expect((await getKey(admin, first)).signingKey.use).toEqual({ tokens: 0, receipts: 2 })
  })
})

describe('changes', () => {
  it('stand in the audit log with who made them; what is refused changes nothing', async () => {
    const kid = await activeKid()
    await expect(retireBrandKey(by(manager), BRAND_ID, kid)).rejects.toThrow(KeyRefusalError)
    await compromiseBrandKey(by(manager), BRAND_ID, kid)
    forgetConfirmation()
    const successor = await activeKid()
    const events = await prisma().auditEvent.findMany({ orderBy: { id: 'desc' }, take: 2 })
    expect(events).toMatchObject([
      { action: 'signing-key.activate', subject: successor, before: null, after: { state: 'active' } },
      {
        action: 'signing-key.compromise',
        subject: kid,
        before: { state: 'active' },
        brandId: BRAND_ID,
        actor: actor.name,
        address: '192.0.2.7',
      },
    ])
    const { keys, jwks } = await readKeyTimeline(admin, BRAND_ID)
    expect(keys.find((key) => key.kid === kid)).toMatchObject({
      state: 'compromised',
      use: { tokens: 0, receipts: 0 },
    })
    expect(jwks.keys.map((key) => key.kid)).not.toContain(kid)
  })
})
