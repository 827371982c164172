import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { SearchCutError } from '#lib/identity/find-by-words.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { getGrantDetail } from './find-grant-detail.ts'
import { grantFilterSchema, matchingGrantsSchema } from './grant-list-schema.ts'
import { listGrants } from './list-grants.ts'
import { countRevocable, revokeGrantByConsole, revokeNextMatching } from './revoke-by-console.ts'

let sender: Awaited<ReturnType<typeof startDelegatedSender>>
/** Of the first Brand: one that was used, one whose time is over, one that was revoked. And one of the other Brand. */
let live: { subject: string; grantId: string; token: string }
let expired: string
let revoked: string
const foreign = 'a2agrant_foreign'

const person = (providerRole: ProviderRole | null, brandRoles: Record<string, BrandRole> = {}): Viewer => ({
  userId: '01890000-0000-7000-8000-000000000000',
  email: 'someone@provider.example',
  name: null,
  providerRole,
  brandRoles: new Map(Object.entries(brandRoles)),
})
const admin = person('admin')
const manager = person(null, { [BRAND_ID]: 'manager' })
const viewer = person(null, { [BRAND_ID]: 'viewer' })
const stranger = person(null, { [OTHER_BRAND_ID]: 'manager' })
const actor: Actor = { kind: 'user', name: 'someone@provider.example' }

const ids = async (who: Viewer, filter: Record<string, unknown> = {}) =>
  (await listGrants(who, grantFilterSchema.parse(filter))).rows.map(({ id }) => id).sort()
const matching = (filter: Record<string, unknown> = {}) =>
  matchingGrantsSchema.parse({ countedAt: new Date(Date.now() + 1_000).toISOString(), ...filter })
const personalAgentId = async () =>
  (await prisma().personalAgent.findUniqueOrThrow({ where: { issuer: sender.agent.issuer } })).id

beforeAll(async () => {
  log().level = 'silent'
  sender = await startDelegatedSender()
  live = await sender.allow('orders:read', 'orders:cancel')
  expired = (await sender.allow('orders:read')).grantId
  revoked = (await sender.allow('orders:read')).grantId
  await prisma().grant.update({ where: { id: expired }, data: { expiresAt: new Date(Date.now() - 1_000) } })
  await revokeGrantByConsole(admin, actor, revoked)
  await prisma().grant.create({
    data: {
      id: foreign,
      brandId: OTHER_BRAND_ID,
      personalAgentId: await personalAgentId(),
      subject: 'someone',
      brandUserId: 'somebody',
      scopes: ['orders:read'],
      expiresAt: new Date(Date.now() + 3_600_000),
    },
  })
}, 60_000)
afterAll(() => sender.close())

describe('the list of grants', () => {
  it('shows a viewer only the Brands that are theirs', async () => {
    const own = [live.grantId, expired, revoked].sort()
    expect(await ids(admin)).toEqual([...own, foreign].sort())
    expect(await ids(viewer)).toEqual(own)
    expect(await ids(stranger)).toEqual([foreign])
    await expect(ids(viewer, { brand: OTHER_BRAND_ID })).rejects.toThrow(ForbiddenError)
    await expect(ids(person(null))).rejects.toThrow(ForbiddenError)
  })

  it.each([
    ['live', () => [live.grantId]],
    ['expired', () => [expired]],
    ['revoked', () => [revoked]],
  ])('is filtered by the state %s', async (state, expected) => {
    expect(await ids(viewer, { state })).toEqual(expected())
    const { rows } = await listGrants(viewer, grantFilterSchema.parse({ state }))
    expect(rows.map((row) => row.state)).toEqual([state])
  })

  it('is filtered by scope, User and personal agent', async () => {
    expect(await ids(viewer, { scope: 'orders:cancel' })).toEqual([live.grantId])
    expect(await ids(viewer, { scope: 'orders' })).toEqual([])
    expect(await ids(viewer, { user: live.subject })).toEqual([live.grantId])
    expect(await ids(stranger, { user: 'somebody' })).toEqual([foreign])
    expect(await ids(stranger, { agent: sender.agent.issuer })).toEqual([foreign])
    expect(await ids(stranger, { agent: sender.otherAgent.issuer })).toEqual([])
  })
})

describe('a grant', () => {
  it('tells what was used of it, its history, and what was done', async () => {
    await sender.send('show my orders', { subject: live.subject, token: live.token })
    const detail = await getGrantDetail(viewer, live.grantId)
    expect(detail.scopes.map(({ id, lastUsedAt }) => [id, lastUsedAt !== undefined])).toEqual([
      ['orders:read', true],
      ['orders:cancel', false],
    ])
    expect(detail.receipts).toMatchObject({ count: 1, latest: [{ tools: ['list_orders'] }] })
    expect(detail.lastUsedAt).toBeInstanceOf(Date)
    const ended = await getGrantDetail(viewer, revoked)
    expect(ended).toMatchObject({ state: 'revoked', revokedBy: 'console' })
    expect(ended.changes).toMatchObject([
      { kind: 'revoked', by: 'console', actor: actor.name, scopesAfter: [] },
    ])
  })

  it('shows what the User was shown, word for word, and bears what it does not know', async () => {
    const texts = Object.fromEntries(
      ['title', 'lead', 'warning', 'identity', 'requested', 'duration', 'noneChecked', 'allow', 'deny'].map(
        (name) => [name, `the ${name}`],
      ),
    )
    const decide = (shown: object, at: string) =>
      prisma().consentDecision.create({
        data: {
          brandId: BRAND_ID,
          deviceAuthorizationId: '01890000-0000-7000-8000-000000000001',
          brandUserId: 'jane-4471',
          grantId: live.grantId,
          approved: true,
          shown,
          scopes: ['orders:read'],
          decidedAt: new Date(at),
        },
      })
    const scope = { id: 'orders:read', description: 'Looks', requested: true, allowedBefore: false }
    await decide({ texts, scopes: [scope], userCode: 'WDJB-MJHT' }, '2026-01-01T00:00:00Z')
    await decide({ consent: 'skipped', scopes: [] }, '2026-01-02T00:00:00Z')
    await decide({ texts: 5, scopes: 'x' }, '2026-01-03T00:00:00Z')
    const { consents } = await getGrantDetail(viewer, live.grantId)
    expect(consents.map(({ shown }) => shown?.texts?.lead)).toEqual([undefined, undefined, 'the lead'])
    expect(consents[2]?.shown).toMatchObject({ scopes: [scope], userCode: 'WDJB-MJHT' })
  })

  it('lists tokens with what became of them', async () => {
    const token = (n: number, more: object) =>
      prisma().refreshToken.create({
        data: {
          tokenHash: new Uint8Array([n]),
          brandId: BRAND_ID,
          grantId: live.grantId,
          scopes: ['orders:read'],
          issuedAt: new Date(Date.now() - n * 1_000),
          expiresAt: new Date(Date.now() + 60_000),
          ...more,
        },
      })
    await token(1, {})
    await token(2, { usedAt: new Date() })
    await token(3, { expiresAt: new Date(Date.now() - 500) })
    await token(90, {})
    await prisma().grant.update({
      where: { id: live.grantId },
      data: { notBefore: new Date(Date.now() - 60_000) },
    })
    const { tokens } = await getGrantDetail(viewer, live.grantId)
    expect(tokens.count).toBe(4)
    expect(tokens.latest.map(({ state }) => state)).toEqual(['live', 'used', 'expired', 'ended'])
  })

  it('of another Brand, an unknown one and nonsense are refused alike', async () => {
    for (const id of [live.grantId, 'a2agrant_x', "'", '\0']) {
      await expect(getGrantDetail(stranger, id)).rejects.toThrow(ForbiddenError)
    }
  })
})

describe('revoking', () => {
  it('one is refused to whoever may not', async () => {
    for (const who of [viewer, stranger, person('auditor')]) {
      await expect(revokeGrantByConsole(who, actor, live.grantId)).rejects.toThrow(ForbiddenError)
    }
    expect(await ids(viewer, { state: 'live' })).toEqual([live.grantId])
  })

  it('one acts at once, happens once, and is in the audit log', async () => {
    await prisma().grant.update({ where: { id: live.grantId }, data: { notBefore: null } })
    const send = () => sender.send('show my orders', { subject: live.subject, token: live.token })
    expect((await send()).status).toBe(200)
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => revokeGrantByConsole(manager, actor, live.grantId)),
    )
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    expect((await send()).status).toBe(401)
    const events = await prisma().auditEvent.findMany({ where: { subject: live.grantId } })
    expect(events).toMatchObject([{ action: 'grant.revoke', brandId: BRAND_ID, actor: actor.name }])
  })

  it('all that match takes those of the viewer’s Brands that were counted, and tells which', async () => {
    await pool().query(
      `INSERT INTO "Grant" ("id", "brandId", "personalAgentId", "subject", "brandUserId", "scopes", "expiresAt")
      SELECT 'many-' || n, $1, $2, 'user-' || n, 'jane-' || n, CASE WHEN n <= 600 THEN '{bulk}'::text[] ELSE '{kept}' END,
        now() + interval '1 day'
      FROM generate_series(1, 700) n`,
      [BRAND_ID, await personalAgentId()],
    )
    const filter = matching({ scope: 'bulk' })
    await pool().query(`UPDATE "Grant" SET "createdAt" = now() + interval '1 hour' WHERE "id" = 'many-7'`)
    expect(await countRevocable(manager, filter)).toBe(599)
    expect(await countRevocable(stranger, filter)).toBe(0)
    await expect(countRevocable(viewer, filter)).rejects.toThrow(ForbiddenError)
    await expect(revokeNextMatching(person('auditor'), actor, filter)).rejects.toThrow(ForbiddenError)
    await expect(
      revokeNextMatching(manager, actor, matching({ scope: 'bulk', brand: OTHER_BRAND_ID })),
    ).rejects.toThrow(ForbiddenError)

    const counts: number[] = []
    let after: string | undefined
    do {
      const { count, last } = await revokeNextMatching(manager, actor, { ...filter, after })
      counts.push(count)
      after = last
    } while (after)
    expect(counts).toEqual([250, 250, 99, 0])
    expect(await ids(manager, { scope: 'bulk', state: 'live' })).toEqual(['many-7'])
    expect(await prisma().grant.count({ where: { scopes: { has: 'kept' }, revokedAt: null } })).toBe(100)
    expect(await prisma().grant.count({ where: { id: foreign, revokedAt: null } })).toBe(1)
    const changes = await prisma().grantChange.count({
      where: { kind: 'revoked', grantId: { startsWith: 'many-' } },
    })
    expect(changes).toBe(599)
    const events = await prisma().auditEvent.findMany({ where: { action: 'grant.revoke-matching' } })
    expect(events.map(({ subject }) => subject)).toEqual(['250 grants', '250 grants', '99 grants'])
    expect(events[0]?.before).toMatchObject({ filter: { scope: 'bulk' } })
  })

  it('all that match without a filter stays within the viewer’s Brands', async () => {
    while ((await revokeNextMatching(stranger, actor, matching())).count > 0);
    expect(await ids(stranger, { state: 'live' })).toEqual([])
    expect(await prisma().grant.count({ where: { brandId: BRAND_ID, revokedAt: null } })).toBeGreaterThan(100)
  })

  it('are not all revoked where a search means more personal agents than are looked at', async () => {
    await pool().query(
      `INSERT INTO "PersonalAgent" ("id", "issuer", "jwksUri", "name", "updatedAt")
      SELECT gen_random_uuid(), 'https://crowd-' || n || '.example', 'u', 'n', now() FROM generate_series(1, 501) n`,
    )
    await expect(countRevocable(manager, matching({ agent: 'crowd' }))).rejects.toThrow(SearchCutError)
    await expect(revokeNextMatching(manager, actor, matching({ agent: 'crowd' }))).rejects.toThrow(
      SearchCutError,
    )
    expect(await countRevocable(manager, matching({ agent: 'crowd-501' }))).toBe(0)
  })

  it('refuses a filter that makes no sense, lest it mean everything', () => {
    const countedAt = new Date().toISOString()
    for (const wrong of [{ scope: '' }, { brand: 'x' }, { state: 'live' }, { countedAt: 'now' }]) {
      expect(matchingGrantsSchema.safeParse({ countedAt, ...wrong }).success).toBe(false)
    }
  })
})
