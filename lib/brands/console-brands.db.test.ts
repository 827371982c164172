import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDelegatingDatabase } from '#e2e/harness/delegating-brand.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { listGrantChanges } from '#lib/delegation/grant-changes.ts'
import { newGrantId } from '#lib/delegation/opaque-codes.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { PAGE_SIZE } from '#lib/platform/keyset.ts'
import { archiveBrand, restoreBrand } from './archive-brand.ts'
import { countBrandUse } from './brand-use.ts'
import { listBrandPage } from './list-brands.ts'
import { brandListSchema } from './list-schema.ts'
import { newBrandId } from './new-brand-id.ts'

let database: Awaited<ReturnType<typeof openDelegatingDatabase>>

const admin: Viewer = {
  userId: randomUUID(),
  email: 'admin@provider.example',
  name: null,
  providerRole: 'admin',
  brandRoles: new Map(),
}
const manager = (...ids: string[]): Viewer => ({
  ...admin,
  providerRole: null,
  brandRoles: new Map(ids.map((id) => [id, 'manager'])),
})
const as = (viewer: Viewer) => ({ viewer, actor: { kind: 'user', name: viewer.email } as const })

beforeAll(async () => {
  database = await openDelegatingDatabase()
})
afterAll(() => database.close())

const list = (viewer: Viewer, query: Record<string, unknown> = {}) =>
  listBrandPage(viewer, brandListSchema.parse(query))
const names = async (viewer: Viewer, query: Record<string, unknown> = {}) =>
  (await list(viewer, query)).rows.map(({ name }) => name)

async function addGrant(brandId: string, scopes: string[], more = {}): Promise<string> {
  const id = newGrantId()
  const personalAgentId = database.caller.personalAgent.id
  const expiresAt = new Date(Date.now() + 60_000)
  const data = { id, brandId, personalAgentId, subject: id, brandUserId: 'jane', scopes, expiresAt, ...more }
  await prisma().grant.create({ data })
  return id
}

async function addConversation(brandId: string): Promise<string> {
  const id = randomUUID()
  const personalAgentId = database.caller.personalAgent.id
  await prisma().conversation.create({ data: { id, brandId, personalAgentId, subject: 'u' } })
  return id
}

describe('the list of Brands', () => {
  it('shows a Brand’s people their own alone, whatever they ask for', async () => {
    expect(await names(manager(OTHER_BRAND_ID))).toEqual(['Northlight Energy'])
    expect(await names(manager(OTHER_BRAND_ID), { q: 'Loom' })).toEqual([])
    await expect(list(manager(OTHER_BRAND_ID), { brand: database.brandId })).rejects.toThrow(ForbiddenError)
    await expect(list(manager(OTHER_BRAND_ID), { after: database.brandId })).rejects.toThrow(ForbiddenError)
    await expect(list(manager())).rejects.toThrow(ForbiddenError)
  })

  it('is searched by name, domain and id, in letters that mean themselves', async () => {
    await prisma().brand.update({ where: { id: OTHER_BRAND_ID }, data: { domain: 'power.example' } })
    expect(await names(admin, { q: 'THREAD' })).toEqual(['Loom & Thread'])
    expect(await names(admin, { q: 'power.' })).toEqual(['Northlight Energy'])
    expect(await names(admin, { q: OTHER_BRAND_ID.toLowerCase() })).toEqual(['Northlight Energy'])
    for (const q of ['%', '_', '\\']) expect(await names(admin, { q })).toEqual([])
  })

  it.each([{ sort: 'x' }, { state: ['a', 'b'] }, { before: '0' }, { q: '\0' }, { brand: 'x' }])(
    'takes nonsense in its address for nothing said: %j',
    async (query) => {
      expect(await names(admin, query)).toEqual(['Loom & Thread', 'Northlight Energy'])
    },
  )

  it.each(['name', '-name', 'created', '-created'])('is read in pages, each Brand once: %s', async (sort) => {
    const ids = Array.from({ length: 2 * PAGE_SIZE + 5 }, newBrandId)
    const data = ids.map((id, index) => ({
      id,
      name: `Same ${index % 7}`,
      description: 'x',
      agent: {},
      createdAt: new Date(Math.floor(index / 3)),
    }))
    await prisma().brand.createMany({ data })
    const seen: string[] = []
    let page = await list(admin, { q: 'Same', sort })
    expect(page.before).toBeUndefined()
    const first = page
    for (;;) {
      seen.push(...page.rows.map(({ id }) => id))
      if (!page.after) break
      page = await list(admin, { q: 'Same', sort, after: page.after })
    }
    expect(seen).toHaveLength(ids.length)
    expect(new Set(seen)).toEqual(new Set(ids))
    const back = await list(admin, { q: 'Same', sort, before: seen[PAGE_SIZE] })
    expect(back.rows).toEqual(first.rows)
    expect(back.before).toBeUndefined()
    await prisma().brand.deleteMany({ where: { id: { in: ids } } })
  })
})

describe('a Brand that is put away', () => {
  it('counts first what ends, then ends it, of this Brand alone, and can be brought back', async () => {
    const { brandId } = database
    const live = await addGrant(brandId, ['orders:read', 'orders:cancel'])
    await addGrant(brandId, ['orders:read'])
    await addGrant(brandId, ['orders:read'], { revokedAt: new Date() })
    await addGrant(brandId, ['orders:read'], { expiresAt: new Date(0) })
    const foreign = await addGrant(OTHER_BRAND_ID, ['orders:read'])
    const conversation = await addConversation(brandId)
    await addConversation(OTHER_BRAND_ID)

    const use = await countBrandUse(admin, brandId)
    expect(use).toMatchObject({ liveGrants: 2, openConversations: 1, keys: 1 })
    expect(Object.fromEntries(use.grantsByScope)).toEqual({ 'orders:read': 2, 'orders:cancel': 1 })
    await expect(countBrandUse(manager(OTHER_BRAND_ID), brandId)).rejects.toThrow(ForbiddenError)

    await expect(archiveBrand(as(manager(brandId)), brandId)).rejects.toThrow(ForbiddenError)
    const archiving = archiveBrand(as(admin), brandId)
    await expect
      .poll(async () => (await prisma().grant.findUnique({ where: { id: live } }))?.revokedAt)
      .toBeTruthy()
    const late = await addGrant(brandId, ['orders:read'])
    expect(await archiving).toEqual({ grants: 3, conversations: 1 })
    expect((await prisma().grant.findUnique({ where: { id: late } }))?.revokedAt).toBeTruthy()
    expect(await archiveBrand(as(admin), brandId)).toBeUndefined()

    expect(await listGrantChanges(brandId, live)).toMatchObject([
      { kind: 'revoked', by: 'console', actor: admin.email, scopesAfter: [] },
    ])
    expect(await prisma().grant.findUnique({ where: { id: foreign } })).toMatchObject({ revokedAt: null })
    expect(await prisma().conversation.findUnique({ where: { id: conversation } })).toMatchObject({
      state: 'closed',
      closedBy: 'console',
    })
    expect(await names(admin)).not.toContain('Loom & Thread')
    expect(await names(admin, { state: 'archived' })).toEqual(['Loom & Thread'])

    expect(await restoreBrand(as(admin), brandId)).toBe(true)
    expect(await restoreBrand(as(admin), brandId)).toBe(false)
    expect(await names(admin, { state: 'disabled' })).toEqual(['Loom & Thread'])
    const told = await prisma().auditEvent.findMany({
      where: { action: { startsWith: 'brand.' } },
      take: -3,
      orderBy: { id: 'asc' },
    })
    expect(told).toMatchObject([
      { action: 'brand.archive', after: { enabled: false, domain: null } },
      { action: 'brand.archive-ended', after: { grantsEnded: 3, conversationsClosed: 1 } },
      { action: 'brand.restore' },
    ])
  })

  it('waits in no circle with a turn that settles, and its row is free meanwhile', async () => {
    const { brandId } = database
    const grant = await addGrant(brandId, ['orders:read'])
    const conversation = await addConversation(brandId)
    const turn = await pool().connect()
    await turn.query('BEGIN')
    await turn.query(`UPDATE "Conversation" SET "lastActiveAt" = now() WHERE "id" = $1`, [conversation])
    const archiving = archiveBrand(as(admin), brandId)
    await expect
      .poll(async () => (await prisma().brand.findUnique({ where: { id: brandId } }))?.archivedAt)
      .toBeTruthy()
    await pool().query(`UPDATE "Brand" SET "updatedAt" = now() WHERE "id" = $1`, [brandId])
    await turn.query(`UPDATE "Grant" SET "lastUsedAt" = now() WHERE "id" = $1`, [grant])
    await turn.query('COMMIT')
    turn.release()
    expect(await archiving).toEqual({ grants: 1, conversations: 1 })
    await restoreBrand(as(admin), brandId)
  })
})
