import { beforeEach, describe, expect, it } from 'vitest'
import { startBot } from '#e2e/harness/bot.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, buildTestProvision, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { listAgentSecrets } from '#lib/agents/stored-secrets.ts'
import { getAgentVersion, listAgentVersions } from '#lib/brands/agent-versions.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { getAgentDraft, restoreAgentVersion, saveAgentDraft } from './agent-drafts.ts'
import { applyProvision } from './apply-provision.ts'
import { checkPublishedAgent } from './check-published-agent.ts'
import { editBrand } from './edit-brand.ts'
import { exportProvision } from './export-provision.ts'
import { checkAgentDraft, publishAgent } from './publish-agent.ts'
import { readProvision } from './read-provision.ts'
import { provisionSchema } from './schema.ts'
import { StaleEditError } from './stale-edit.ts'

const manager: Viewer = {
  userId: '01900000-0000-7000-8000-000000000001',
  email: 'm@b.example',
  name: null,
  providerRole: null,
  brandRoles: new Map([[BRAND_ID, 'manager']]),
}
const reader: Viewer = { ...manager, email: 'v@b.example', brandRoles: new Map([[BRAND_ID, 'viewer']]) }
const as = (who: Viewer) => ({ viewer: who, actor: { kind: 'user', name: who.email } as const })

const operator = { kind: 'cli', name: 'pact agent check' } as const

databaseOfThisFile()
beforeEach(async () => {
  await pool().query('TRUNCATE "Brand" CASCADE')
  const provision = buildTestProvision([])
  await applyProvision(provisionSchema({ allowLoopback: true }).parse(provision), { dryRun: false })
})

const hello = (fallback: string) => () => ({ driver: 'scripted', fallback })
const save = (base: number, change: (agent: BrandInput['agent']) => unknown, who = manager) =>
  saveAgentDraft(as(who), { brandId: BRAND_ID, base }, change)
const look = () => getVisibleBrand(manager, BRAND_ID)

async function publish(options: Parameters<typeof publishAgent>[2] = {}) {
  const { number, brand } = await getAgentDraft(manager, BRAND_ID)
  return publishAgent(as(manager), { brandId: BRAND_ID, number, since: brand.version }, options)
}

async function keepChecks(checks: object[]) {
  const { version } = await look()
  const saved = await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
    ...settings,
    agent: { ...settings.agent, checks },
  }))
  expect(saved).toMatchObject({ ok: true })
}

const numbers = async () =>
  (await listAgentVersions(manager, BRAND_ID)).map(
    ({ number, published }) => `${number}${published ? 'p' : 'd'}`,
  )

describe('the history of a Brand’s agent', () => {
  it('begins with the Brand, and keeps whatever is published, by whom and how', async () => {
    expect(await numbers()).toEqual(['1p'])
    const { version } = await look()
    await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      name: 'Other',
    }))
    expect(await numbers()).toEqual(['1p'])
    await editBrand(as(manager), { id: BRAND_ID, since: (await look()).version }, (settings) => ({
      ...settings,
      agent: { driver: 'scripted' as const, fallback: 'Two.' },
    }))
    expect(await numbers()).toEqual(['2p', '1p'])
    expect(await getAgentVersion(manager, BRAND_ID, 2)).toMatchObject({
      savedBy: manager.email,
      settings: { driver: 'scripted', fallback: 'Two.', tools: [] },
    })
  })

  it('is shown to its own Brand’s people alone', async () => {
    const other = { ...manager, brandRoles: new Map([[OTHER_BRAND_ID, 'manager']]) } as Viewer
    await expect(listAgentVersions(other, BRAND_ID)).rejects.toThrow(ForbiddenError)
    await expect(getAgentVersion(other, BRAND_ID, 1)).rejects.toThrow(ForbiddenError)
    await expect(getAgentVersion(manager, BRAND_ID, 9)).rejects.toThrow(ForbiddenError)
    await expect(getAgentDraft(other, BRAND_ID)).rejects.toThrow(ForbiddenError)
  })
})

describe('a draft', () => {
  it('answers nobody until it is published', async () => {
    const before = await look()
    expect(await save(1, hello('Draft.'))).toEqual({ ok: true, number: 2 })
    expect(await save(2, (agent) => ({ ...agent, fallback: 'Later.' }))).toEqual({ ok: true, number: 3 })
    expect((await look()).settings.agent).toEqual(before.settings.agent)
    expect(await getAgentDraft(reader, BRAND_ID)).toMatchObject({
      number: 3,
      isDraft: true,
      agent: { fallback: 'Later.' },
    })
    expect(await publish()).toMatchObject({ ok: true })
    expect((await look()).settings.agent).toMatchObject({ fallback: 'Later.' })
    expect(await numbers()).toEqual(['4p', '3d', '2d', '1p'])
    expect(await getAgentDraft(manager, BRAND_ID)).toMatchObject({ number: 4, isDraft: false })
  })

  it('says what is wrong by the agent’s own fields, and is not saved then', async () => {
    const saved = await save(1, () => ({
      driver: 'scripted',
      fallback: ' ',
      rules: [{ when: {}, call: [{ tool: 'none' }], reply: 'x' }],
    }))
    expect(saved).toEqual({
      ok: false,
      findings: [
        { path: ['fallback'], reason: 'must not be blank' },
        expect.objectContaining({ path: ['rules', 0, 'call', 0, 'tool'] }),
      ],
    })
    expect(await numbers()).toEqual(['1p'])
  })

  it('of two at the same moment one is told', async () => {
    const both = await Promise.allSettled([save(1, hello('One.')), save(1, hello('Two.'))])
    const told = both.filter(({ status }) => status === 'rejected')
    expect(told).toMatchObject([{ reason: expect.any(StaleEditError) }])
    await expect(save(1, hello('Three.'))).rejects.toThrow(StaleEditError)
    expect(await numbers()).toEqual(['2d', '1p'])
  })

  it('is for those who may change the Brand', async () => {
    await expect(save(1, hello('x'), reader)).rejects.toThrow(ForbiddenError)
    await expect(checkAgentDraft(as(reader), BRAND_ID)).rejects.toThrow(ForbiddenError)
    const { version } = await look()
    const target = { brandId: BRAND_ID, number: 1, since: version }
    await expect(publishAgent(as(reader), target)).rejects.toThrow(ForbiddenError)
  })

  it('comes back from an old version', async () => {
    await save(1, hello('Two.'))
    await save(2, hello('Three.'))
    const restored = await restoreAgentVersion(as(manager), { brandId: BRAND_ID, base: 3, number: 2 })
    expect(restored).toEqual({ ok: true, number: 4 })
    expect(await getAgentVersion(manager, BRAND_ID, 4)).toMatchObject({ settings: { fallback: 'Two.' } })
  })

  it('is not published over what somebody has changed meanwhile', async () => {
    await save(1, hello('Two.'))
    const { version } = await look()
    await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      name: 'Other',
    }))
    const late = publishAgent(as(manager), { brandId: BRAND_ID, number: 2, since: version })
    await expect(late).rejects.toThrow(StaleEditError)
  })

  it('that somebody saves while the checks of another run is not published over', async () => {
    await keepChecks([{ name: 'Waits', turns: [{ say: 'Hi' }] }])
    const bot = await startBot()
    await save(1, () => ({ driver: 'webhook', url: bot.url }))
    bot.answerWith(async () => {
      await save(2, hello('Another.'))
      return { reply: 'Slow.' }
    })
    await expect(publish()).rejects.toThrow(StaleEditError)
    await bot.close()
    expect(await numbers()).toEqual(['3d', '2d', '1p'])
    expect(await getAgentDraft(manager, BRAND_ID)).toMatchObject({
      isDraft: true,
      agent: { fallback: 'Another.' },
    })
  })

  it('that is saved at the very moment of another’s publishing: one of the two is told', async () => {
    await save(1, hello('Two.'))
    const both = await Promise.allSettled([publish(), save(2, hello('Three.'))])
    const told = both.filter(({ status }) => status === 'rejected')
    expect(told).toMatchObject([{ reason: expect.any(StaleEditError) }])
    expect(await numbers()).toHaveLength(3)
  })

  it('is none any more once it is published, also where nothing is otherwise than before', async () => {
    await save(1, (agent) => agent)
    expect(await getAgentDraft(manager, BRAND_ID)).toMatchObject({ isDraft: true })
    expect(await publish()).toMatchObject({ ok: true })
    expect(await numbers()).toEqual(['3p', '2d', '1p'])
    expect(await getAgentDraft(manager, BRAND_ID)).toMatchObject({ number: 3, isDraft: false })
  })

  it('holds no secret: it is given when the draft is published', async () => {
    const llm = {
      driver: 'llm',
      endpoint: 'https://models.example/v1',
      model: 'm',
      instructions: 'Help.',
    }
    expect(await save(1, () => ({ ...llm, apiKey: 'sk-1' }))).toMatchObject({
      ok: false,
      findings: [{ path: ['apiKey'] }],
    })
    await save(1, () => llm)
    expect(JSON.stringify(await prisma().agentVersion.findMany())).not.toContain('sk-1')
    expect(await listAgentSecrets(BRAND_ID)).toEqual([])
    expect(await publish({ secrets: { 'llm.apiKey': 'sk-2' } })).toMatchObject({ ok: true })
    expect(await listAgentSecrets(BRAND_ID)).toEqual([
      { name: 'llm.apiKey', origin: 'https://models.example' },
    ])
    const everything = await pool().query(`
      SELECT (SELECT string_agg(v::text, '') FROM "AgentVersion" v) || (SELECT string_agg(a::text, '') FROM "AuditEvent" a) AS "all"`)
    expect(everything.rows[0].all).not.toMatch(/sk-[12]/)
  })
})

describe('a Brand’s drafts', () => {
  it('are kept up to a hundred; what was published stays', async () => {
    const settings = { driver: 'scripted', fallback: 'Old.', tools: [] }
    const row = (number: number) => ({ brandId: BRAND_ID, number, published: false, settings, savedBy: 'x' })
    await prisma().agentVersion.createMany({ data: Array.from({ length: 100 }, (_, n) => row(n + 2)) })
    const other = { ...row(2), brandId: OTHER_BRAND_ID }
    await prisma().agentVersion.create({ data: other })
    await save(101, hello('New.'))
    const left = await prisma().agentVersion.findMany({
      where: { brandId: BRAND_ID },
      select: { number: true },
      orderBy: { number: 'asc' },
    })
    expect(left.length).toBe(101)
    expect(left.slice(0, 2)).toEqual([{ number: 1 }, { number: 3 }])
    expect(await prisma().agentVersion.count({ where: { brandId: OTHER_BRAND_ID } })).toBe(2)
  })
})

describe('checks', () => {
  const greets = { name: 'Greets', turns: [{ say: 'Hi', has: ['hello'] }] }

  it('are part of the provision file, and change nothing when they come back', async () => {
    await keepChecks([
      greets,
      { name: 'Other', scopes: ['a'], answers: { t: { status: 404 } }, turns: [{ say: 'x' }] },
    ])
    const read = readProvision(await exportProvision(), { file: 'export.yaml', allowLoopback: true })
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    expect(read.provision.brands.find(({ id }) => id === BRAND_ID)?.agent.checks).toMatchObject([
      { name: 'Greets' },
      { name: 'Other' },
    ])
    expect(await applyProvision(read.provision, { dryRun: true })).toEqual([])
    expect(await numbers()).toEqual(['1p'])
  })

  it('keep a draft from being published, unless somebody overrides them, which the audit log tells', async () => {
    await keepChecks([greets])
    await save(1, hello('Good day.'))
    expect(await publish()).toMatchObject({ ok: false, failed: [{ name: 'Greets', passed: false }] })
    expect(await numbers()).toEqual(['2d', '1p'])
    expect(await publish({ override: true })).toMatchObject({ ok: true })
    expect(await numbers()).toEqual(['3p', '2d', '1p'])
    const [event] = await prisma().auditEvent.findMany({ where: { action: 'agent.publish-despite-checks' } })
    expect(event).toMatchObject({ brandId: BRAND_ID, actor: manager.email, after: { failed: ['Greets'] } })
    expect(event?.subject).toMatch(/: version 3$/)
    expect((await look()).settings.agent.checks).toHaveLength(1)
  })

  it('let one through that passes, and are run from the editor and by the operator', async () => {
    const overridden = { where: { action: 'agent.publish-despite-checks' } }
    const before = await prisma().auditEvent.count(overridden)
    await keepChecks([greets])
    expect(await checkPublishedAgent(BRAND_ID, operator)).toMatchObject([{ passed: false }])
    await save(1, hello('Hello there.'))
    expect(await checkAgentDraft(as(manager), BRAND_ID)).toMatchObject([{ passed: true }])
    expect(await publish()).toMatchObject({ ok: true })
    expect(await checkPublishedAgent(BRAND_ID, operator)).toMatchObject([{ passed: true }])
    expect(await prisma().auditEvent.count(overridden)).toBe(before)
  })

  it('keep an agent from being changed without a draft, too, even as they are taken away', async () => {
    await keepChecks([greets])
    const put = async (agent: object) =>
      editBrand(as(manager), { id: BRAND_ID, since: (await look()).version }, (settings) => ({
        ...settings,
        agent,
      }))
    const findings = [
      { path: ['agent'], reason: expect.stringMatching(/^does not pass .* checks: Greets\./) },
    ]
    for (const checks of [{}, { checks: [greets] }]) {
      expect(await put({ ...hello('Good day.')(), ...checks })).toEqual({ ok: false, findings })
    }
    expect(await numbers()).toEqual(['1p'])
    expect(await put({ ...hello('Hello there.')(), checks: [greets] })).toMatchObject({ ok: true })
    expect(await numbers()).toEqual(['2p', '1p'])
    // What leaves the agent as it is does not run them.
    await keepChecks([{ ...greets, turns: [{ say: 'Hi', has: ['nonsense'] }] }])
    const rename = (settings: BrandInput) => ({ ...settings, name: 'Other' })
    expect(
      await editBrand(as(manager), { id: BRAND_ID, since: (await look()).version }, rename),
    ).toMatchObject({ ok: true })
  })

  it('have names that differ', async () => {
    const { version } = await look()
    const saved = await editBrand(as(manager), { id: BRAND_ID, since: version }, (settings) => ({
      ...settings,
      agent: { ...settings.agent, checks: [greets, greets] },
    }))
    expect(saved).toMatchObject({ ok: false, findings: [{ path: ['agent', 'checks', 1, 'name'] }] })
  })
})
