import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { defaultLimits } from '#lib/identity/schema.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { applyProvision } from './apply-provision.ts'
import { editSettings } from './edit-settings.ts'
import { provisionSchema } from './schema.ts'
import { countSettingsReach, findSettings } from './settings-page.ts'
import { StaleEditError } from './stale-edit.ts'

function viewerWith(providerRole: ProviderRole | null, brandRole?: BrandRole): Viewer {
  const brandRoles = new Map(brandRole ? [['01KAA0B5V7S8Q0ZJ1M9T3X4WCR', brandRole]] : [])
  return { userId: 'u', email: 'u@provider.example', name: null, providerRole, brandRoles }
}
const actor: Actor = { kind: 'user', name: 'u@provider.example', address: '192.0.2.1' }
const asAdmin = { viewer: viewerWith('admin'), actor }

const first = { organization: 'Provider', audience: 'urn:example:provider' }
const provision = (provider: unknown, personalAgents: unknown[] = []) =>
  provisionSchema({ allowLoopback: true }).parse({ provider, personalAgents })

async function shownSettings() {
  const shown = await findSettings(asAdmin.viewer)
  if (!shown) throw new Error('no settings')
  return shown
}

beforeAll(async () => {
  setDatabaseUrl((await freshDatabase()).url)
})
afterAll(closeDatabase)

describe('the Provider’s settings', () => {
  it('are not there before the first provision file', async () => {
    expect(await findSettings(asAdmin.viewer)).toBeUndefined()
  })

  it('are changed as a whole, with an entry in the audit log of what differs', async () => {
    await applyProvision(provision(first), { dryRun: false })
    const { settings, version } = await shownSettings()
    expect(settings).toEqual({
      ...first,
      trust: 'allowlist',
      limits: defaultLimits,
      adminsNeedSecondFactor: false,
      retentionDays: null,
    })
    const saved = await editSettings(
      asAdmin,
      { ...settings, retentionDays: 30, adminsNeedSecondFactor: true },
      version,
    )
    expect((await shownSettings()).version).toEqual(saved)
    const event = await prisma().auditEvent.findFirst({ orderBy: { id: 'desc' } })
    expect(event).toMatchObject({
      action: 'provider.update',
      actor: actor.name,
      address: actor.address,
      brandId: null,
      before: { adminsNeedSecondFactor: false, retentionDays: null },
      after: { adminsNeedSecondFactor: true, retentionDays: 30 },
    })
  })

  it('keep what a provision file does not say of second factors and retention', async () => {
    expect(await applyProvision(provision(first), { dryRun: false })).toEqual([])
    const changes = await applyProvision(provision({ ...first, retentionDays: null }), { dryRun: false })
    expect(changes[0]?.fields).toEqual([{ field: 'retentionDays', before: 30, after: null }])
  })

  it('are not changed over somebody else’s change', async () => {
    const { settings, version } = await shownSettings()
    await editSettings(asAdmin, { ...settings, organization: 'Theirs' }, version)
    const late = editSettings(asAdmin, { ...settings, organization: 'Mine' }, version)
    await expect(late).rejects.toThrow(StaleEditError)
    expect((await shownSettings()).settings.organization).toBe('Theirs')
  })

  it('are read by Provider roles, and changed by admins alone', async () => {
    const { settings, version } = await shownSettings()
    for (const viewer of [viewerWith('auditor'), viewerWith(null, 'manager'), viewerWith(null)]) {
      await expect(editSettings({ viewer, actor }, settings, version)).rejects.toThrow(ForbiddenError)
    }
    await expect(findSettings(viewerWith(null, 'manager'))).rejects.toThrow(ForbiddenError)
    await expect(countSettingsReach(viewerWith(null, 'viewer'))).rejects.toThrow(ForbiddenError)
    expect((await findSettings(viewerWith('auditor')))?.version).toEqual(version)
  })

  it('say whom another audience or a second factor would meet', async () => {
    const agent = { name: 'A', issuer: 'https://a.example', jwksUri: 'https://a.example/jwks.json' }
    const agents = [agent, { ...agent, issuer: 'https://b.example', enabled: false }]
    await applyProvision(provision(first, agents), { dryRun: false })
    await prisma().consoleUser.create({ data: { email: 'a@provider.example', providerRole: 'admin' } })
    await prisma().consoleUser.create({
      data: { email: 'b@provider.example', providerRole: 'admin', sealedTotp: new Uint8Array(8) },
    })
    expect(await countSettingsReach(asAdmin.viewer)).toEqual({
      personalAgents: 1,
      admins: 2,
      adminsWithoutSecondFactor: 1,
    })
  })
})
