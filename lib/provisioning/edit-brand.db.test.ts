import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { BRAND_ID, buildTestProvision, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { newBrandId } from '#lib/brands/new-brand-id.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, pool, prisma } from '#lib/platform/database.ts'
import { applyProvision } from './apply-provision.ts'
import { createBrand, editBrand } from './edit-brand.ts'
import { provisionSchema } from './schema.ts'
import { StaleEditError } from './stale-edit.ts'

let database: Awaited<ReturnType<typeof freshDatabase>>

const admin: Viewer = {
  userId: '01900000-0000-7000-8000-000000000001',
  email: 'admin@provider.example',
  name: null,
  providerRole: 'admin',
  brandRoles: new Map(),
}
const manager: Viewer = {
  ...admin,
  email: 'm@b.example',
  providerRole: null,
  brandRoles: new Map([[BRAND_ID, 'manager']]),
}
const viewer: Viewer = { ...manager, email: 'v@b.example', brandRoles: new Map([[BRAND_ID, 'viewer']]) }
const as = (who: Viewer) => ({ viewer: who, actor: { kind: 'user', name: who.email } as const })

const provision = provisionSchema({ allowLoopback: true }).parse(buildTestProvision([]))

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
})
afterAll(async () => {
  await closeDatabase()
  await database.drop()
})
beforeEach(async () => {
  await pool().query('TRUNCATE "Brand" CASCADE')
  await applyProvision(provision, { dryRun: false })
})

const look = () => getVisibleBrand(admin, BRAND_ID)

const newBrand = (id: string, more: Partial<BrandInput> = {}): BrandInput => ({
  id,
  name: 'Plain Coffee',
  description: 'Beans.',
  agent: { driver: 'scripted', fallback: 'Hello.' },
  ...more,
})

describe('reading a Brand as the file has it', () => {
  it('applied again it changes nothing', async () => {
    const { settings } = await look()
    const brands = [settings, (await getVisibleBrand(admin, OTHER_BRAND_ID)).settings]
    const read = provisionSchema({ allowLoopback: true }).parse({ brands })
    expect(await applyProvision(read, { dryRun: true })).toEqual([])
  })

  it.each([
    ['another Brand', OTHER_BRAND_ID],
    ['one that does not exist', '01KAA0B5V7AAAAAAAAAAAAAAAA'],
    ['no id', 'x'],
  ])('is refused alike for %s', async (_, id) => {
    await expect(getVisibleBrand(manager, id)).rejects.toThrow(ForbiddenError)
  })
})

describe('editing a Brand', () => {
  it('stores what changed, with its audit entry, and gives the new version', async () => {
    const { version } = await look()
    const saved = await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      name: 'Loom',
      conversation: { idleHours: 2, retentionDays: 30, maskedFor: ['viewer', 'auditor'] },
    }))
    const now = await look()
    expect(saved).toEqual({ ok: true, version: now.version })
    expect(now.version).not.toEqual(version)
    expect(now.settings).toMatchObject({
      name: 'Loom',
      conversation: { idleHours: 2, retentionDays: 30, maskedFor: ['auditor', 'viewer'] },
    })
    expect(await prisma().auditEvent.findMany({ orderBy: { id: 'desc' }, take: 1 })).toMatchObject([
      {
        action: 'brand.update',
        actor: manager.email,
        brandId: BRAND_ID,
        after: { name: 'Loom', retentionDays: 30 },
      },
    ])
  })

  it('of a version that somebody has changed meanwhile is refused, and nothing is stored', async () => {
    const { version } = await look()
    const rename = (name: string) => (settings: BrandInput) => ({ ...settings, name })
    await editBrand(as(admin), { id: BRAND_ID, since: version }, rename('First'))
    const late = editBrand(as(manager), { id: BRAND_ID, since: version }, rename('Second'))
    await expect(late).rejects.toThrow(StaleEditError)
    expect((await look()).settings.name).toBe('First')
  })

  it('says what is wrong by the Brand’s own fields', async () => {
    const { version } = await look()
    const saved = await editBrand(as(admin), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      name: ' ',
      skills: [
        { id: 'a', name: 'A', description: 'A' },
        { id: 'a', name: 'B', description: 'B' },
      ],
    }))
    expect(saved).toEqual({
      ok: false,
      findings: [
        { path: ['name'], reason: 'must not be blank' },
        { path: ['skills', 1, 'id'], reason: 'a is given twice: see skills[0].id' },
      ],
    })
  })

  it('opens the Provider’s own network to a Brand’s tools for Provider admins alone', async () => {
    const { version } = await look()
    const tool = {
      name: 'stock',
      description: 'Stock.',
      request: { method: 'GET' as const, url: 'https://10.0.0.1/stock' },
    }
    const withTool = (settings: BrandInput) => ({ ...settings, agent: { ...settings.agent, tools: [tool] } })
    const open = (settings: BrandInput) => ({ ...withTool(settings), privateNetworks: true })
    const at = { id: BRAND_ID, since: version }
    expect(await editBrand(as(admin), at, withTool)).toMatchObject({
      ok: false,
      findings: [
        { path: ['agent', 'tools', 0, 'request', 'url'], reason: expect.stringContaining('private') },
      ],
    })
    expect(await editBrand(as(manager), at, open)).toMatchObject({
      ok: false,
      findings: [{ path: ['privateNetworks'] }],
    })
    const opened = await editBrand(as(admin), at, open)
    if (!opened.ok) throw new Error('not opened')
    expect((await look()).settings.privateNetworks).toBe(true)
    const since = opened.version
    const rename = (settings: BrandInput) => ({ ...settings, name: 'Loom' })
    const renamed = await editBrand(as(manager), { id: BRAND_ID, since }, rename)
    expect(renamed).toMatchObject({ ok: true })
  })

  it('can’t become another Brand’s', async () => {
    const { version } = await look()
    await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      id: OTHER_BRAND_ID,
      name: 'Taken',
    }))
    expect((await getVisibleBrand(admin, OTHER_BRAND_ID)).settings.name).toBe('Northlight Energy')
  })

  it('tells a Brand’s people that a domain is taken, and not by whom', async () => {
    const take = async (who: Viewer, id: string) =>
      editBrand(as(who), { id, since: (await getVisibleBrand(admin, id)).version }, (settings) => ({
        ...settings,
        domain: 'shop.example',
      }))
    await take(admin, OTHER_BRAND_ID)
    expect(await take(manager, BRAND_ID)).toEqual({
      ok: false,
      findings: [{ path: ['domain'], reason: 'is the domain of another Brand' }],
    })
    expect(await take(admin, BRAND_ID)).toMatchObject({
      findings: [{ reason: expect.stringContaining('Northlight') }],
    })
  })

  it('lets its manager hide texts from a role, and only a Provider admin show them again', async () => {
    const mask = async (who: Viewer, maskedFor: ('manager' | 'viewer')[]) =>
      editBrand(as(who), { id: BRAND_ID, since: (await look()).version }, (settings) => ({
        ...settings,
        conversation: { idleHours: 2, ...settings.conversation, maskedFor },
      }))
    expect(await mask(manager, ['manager', 'viewer'])).toMatchObject({ ok: true })
    expect(await mask(manager, ['viewer'])).toMatchObject({
      ok: false,
      findings: [{ path: ['conversation', 'maskedFor'] }],
    })
    expect(await mask(admin, [])).toMatchObject({ ok: true })
  })

  it.each([
    ['a viewer', viewer, BRAND_ID],
    ['another Brand’s manager', manager, OTHER_BRAND_ID],
    ['an auditor', { ...admin, providerRole: 'auditor' } as const, BRAND_ID],
  ])('is not for %s', async (_, who, id) => {
    const { version } = await getVisibleBrand(admin, id)
    await expect(editBrand(as(who), { id, since: version }, (settings) => settings)).rejects.toThrow(
      ForbiddenError,
    )
  })
})

describe('making a Brand', () => {
  it('whose agent does not pass the checks that come along makes nothing', async () => {
    const id = newBrandId()
    const checked = (has: string) =>
      newBrand(id, {
        agent: {
          driver: 'scripted',
          fallback: 'Hello.',
          checks: [{ name: 'Greets', turns: [{ say: 'Hi', has: [has] }] }],
        },
      })
    const refused = await createBrand(admin, as(admin).actor, checked('goodbye'))
    const reason = expect.stringMatching(/^does not pass the Brand's checks: Greets\b/)
    expect(refused).toEqual({ ok: false, findings: [{ path: ['agent'], reason }] })
    expect(await prisma().brand.count({ where: { id } })).toBe(0)
    expect(await createBrand(admin, as(admin).actor, checked('hello'))).toMatchObject({ ok: true })
  })

  it('sent twice makes one', async () => {
    const id = newBrandId()
    const made = await createBrand(admin, as(admin).actor, newBrand(id))
    expect(made).toMatchObject({ ok: true })
    expect(await createBrand(admin, as(admin).actor, newBrand(id))).toEqual(made)
  })

  it('never changes one that exists', async () => {
    const made = await createBrand(admin, as(admin).actor, newBrand(BRAND_ID))
    expect(made).toMatchObject({ ok: false, findings: [{ path: ['id'] }] })
  })

  it('is not for a Brand’s manager', async () => {
    await expect(createBrand(manager, as(manager).actor, newBrand(newBrandId()))).rejects.toThrow(
      ForbiddenError,
    )
  })
})

describe('an archived Brand', () => {
  it('is not brought back by a file that is applied again', async () => {
    const data = { archivedAt: new Date(), enabled: false }
    await prisma().brand.update({ where: { id: BRAND_ID }, data })
    const { settings } = await look()
    const read = provisionSchema({ allowLoopback: true }).parse({ brands: [{ ...settings, enabled: true }] })
    expect(await applyProvision(read, { dryRun: false })).toEqual([])
  })

  it('takes no domain back, and is not changed', async () => {
    const data = { archivedAt: new Date(), enabled: false, domain: null }
    await prisma().brand.update({ where: { id: BRAND_ID }, data })
    const { settings, version } = await look()
    const domain = 'given-up.example'
    await prisma().brand.update({ where: { id: OTHER_BRAND_ID }, data: { domain } })
    const read = provisionSchema({ allowLoopback: true }).parse({ brands: [{ ...settings, domain }] })
    expect(await applyProvision(read, { dryRun: false })).toEqual([])
    expect(await editBrand(as(admin), { id: BRAND_ID, since: version }, (same) => same)).toMatchObject({
      ok: false,
      findings: [{ path: [], reason: expect.stringContaining('archived') }],
    })
  })
})
