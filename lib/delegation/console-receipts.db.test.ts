import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { readPageRequest } from '#lib/platform/keyset.ts'
import { log } from '#lib/platform/log.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { checkHeldReceipt } from './check-held-receipt.ts'
import { exportReceipts } from './export-receipts.ts'
import { getReceipt } from './find-receipt-detail.ts'
import { type ListedReceipt, listReceipts, RECEIPT_ID } from './list-receipts.ts'
import { receiptFilterSchema } from './receipt-list-schema.ts'

let sender: Awaited<ReturnType<typeof startDelegatedSender>>
let grantId: string
/** Of the first Brand: a step-up that only looked, and the reply that followed. Of the other: one that was copied. */
let stepUp: string
let reply: string
let foreign: string

const person = (providerRole: ProviderRole | null, brandRoles: Record<string, BrandRole> = {}): Viewer => ({
  userId: '01890000-0000-7000-8000-000000000000',
  email: 'someone@provider.example',
  name: null,
  providerRole,
  brandRoles: new Map(Object.entries(brandRoles)),
})
const admin = person('admin')
const viewer = person(null, { [BRAND_ID]: 'viewer' })
const stranger = person(null, { [OTHER_BRAND_ID]: 'manager' })
const both = person(null, { [BRAND_ID]: 'viewer', [OTHER_BRAND_ID]: 'viewer' })
/** Of so many Brands that they are read all together. */
const more = Array.from({ length: 30 }, (_, n) => [`01KAA0B5V7N2E6Y4D8GH5RP${100 + n}`, 'viewer'] as const)
const ofMany = person(null, { [BRAND_ID]: 'viewer', ...Object.fromEntries(more) })

const ids = async (who: Viewer, filter: Record<string, unknown> = {}) =>
  (await listReceipts(who, receiptFilterSchema.parse(filter))).rows.map(({ id }) => id)

beforeAll(async () => {
  log().level = 'silent'
  sender = await startDelegatedSender()
  const allowed = await sender.allow('orders:read')
  grantId = allowed.grantId
  const { subject } = allowed
  const message = { messageId: 'm-cancel' }
  const first = await sender.send('cancel A-88213', { subject, token: allowed.token, message })
  const contextId = first.body.task.contextId
  const scopes = ['orders:read', 'orders:cancel']
  await prisma().grant.update({ where: { id: grantId }, data: { scopes } })
  const token = await sender.tokenFor(grantId, scopes)
  await sender.send('cancel A-88213', { subject, token, message: { ...message, contextId } })
  await pool().query(
    `INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims", "issuedAt")
    SELECT $1, "grantId", "conversationId", "messageId", "jws", "claims", '2024-02-29T23:59:59Z' FROM "Receipt" LIMIT 1`,
    [OTHER_BRAND_ID],
  )
  const rows = await prisma().receipt.findMany({ orderBy: { id: 'asc' } })
  ;[stepUp = '', reply = '', foreign = ''] = rows.map(({ id }) => String(id))
}, 60_000)
afterAll(() => sender.close())

describe('the list of receipts', () => {
  it('shows a viewer only the Brands that are theirs', async () => {
    expect(await ids(admin)).toEqual([reply, stepUp, foreign])
    expect(await ids(viewer)).toEqual([reply, stepUp])
    expect(await ids(stranger)).toEqual([foreign])
    expect(await ids(both)).toEqual([reply, stepUp, foreign])
    expect(await ids(ofMany)).toEqual([reply, stepUp])
    await expect(ids(viewer, { brand: OTHER_BRAND_ID })).rejects.toThrow(ForbiddenError)
    await expect(ids(person(null))).rejects.toThrow(ForbiddenError)
  })

  it.each([
    ['the User', () => ({ user: 'jane-4471' }), () => [reply, stepUp, foreign]],
    ['nobody’s id', () => ({ user: 'jane' }), () => []],
    ['a scope that was used', () => ({ scope: 'orders:cancel' }), () => [reply]],
    ['a tool that was called', () => ({ tool: 'cancel_order' }), () => [reply]],
    [
      'a scope and a tool of one receipt',
      () => ({ scope: 'orders:read', tool: 'cancel_order' }),
      () => [reply],
    ],
    ['a tool that nobody has', () => ({ tool: 'cancel' }), () => []],
    ['the grant', () => ({ grant: grantId }), () => [reply, stepUp, foreign]],
    ['the personal agent', () => ({ agent: sender.agent.issuer }), () => [reply, stepUp, foreign]],
    ['another personal agent', () => ({ agent: sender.otherAgent.issuer }), () => []],
    ['no personal agent', () => ({ agent: 'nobody at all' }), () => []],
    ['the last of its days', () => ({ from: '2024-02-29', until: '2024-02-29' }), () => [foreign]],
    ['days before', () => ({ until: '2024-02-28' }), () => []],
    ['a Brand', () => ({ brand: OTHER_BRAND_ID }), () => [foreign]],
    ['nonsense', () => ({ from: 'y', brand: ['z'], user: '\0', scope: '' }), () => [reply, stepUp, foreign]],
  ])('filters by %s', async (_what, filter, expected) => {
    expect(await ids(admin, filter())).toEqual(expected())
  })

  it('goes on where it ended, in both directions', async () => {
    const { rows } = await listReceipts(admin, receiptFilterSchema.parse({}))
    const cursor = (row: ListedReceipt | undefined) =>
      Buffer.from(`${row?.issuedAt.getTime()} ${row?.id}`).toString('base64url')
    const page = async (query: Record<string, unknown>) =>
      (await listReceipts(admin, {}, readPageRequest(query, RECEIPT_ID))).rows.map(({ id }) => id)
    expect(await page({ after: cursor(rows[0]) })).toEqual([stepUp, foreign])
    expect(await page({ before: cursor(rows[2]) })).toEqual([reply, stepUp])
    expect(await page({ after: 'nonsense' })).toEqual([reply, stepUp, foreign])
  })
})

describe('one receipt', () => {
  it('is there for those alone who may see its Brand', async () => {
    expect((await getReceipt(viewer, reply)).claims.actions.map(({ tool }) => tool)).toContain('cancel_order')
    for (const [who, id] of [
      [stranger, reply],
      [viewer, foreign],
      [admin, '999999'],
      [admin, '1 OR 1=1'],
      [admin, '9'.repeat(30)],
    ] as const) {
      await expect(getReceipt(who, id)).rejects.toThrow(ForbiddenError)
    }
  })

  it('says in words what its scopes mean, and to which turn it belongs', async () => {
    const receipt = await getReceipt(viewer, reply)
    expect(receipt.scopes).toContainEqual({ id: 'orders:cancel', description: 'Allows orders:cancel' })
    expect(receipt.turn).toMatchObject({ messageId: 'm-cancel', row: expect.any(String) })
    expect((await getReceipt(viewer, stepUp)).turn.row).toBeUndefined()
  })
})

const actor = { kind: 'user', name: 'somebody' } as const

describe('an export', () => {
  const open = (who: Viewer, filter: Record<string, unknown>, format: 'csv' | 'jsonl' = 'jsonl') =>
    exportReceipts({ viewer: who, actor }, receiptFilterSchema.parse(filter), { format, name: 'receipts' })
  const exported = async (who: Viewer, filter: Record<string, unknown> = {}): Promise<string[]> =>
    (await (await open(who, filter)).text())
      .trim()
      .split('\n')
      .map((line) => String(JSON.parse(line).id))

  it('has what the list has, for those who may see it', async () => {
    expect(await exported(viewer)).toEqual([reply, stepUp])
    expect(await exported(admin, { tool: 'cancel_order' })).toEqual([reply])
    await expect(open(viewer, { brand: OTHER_BRAND_ID })).rejects.toThrow(ForbiddenError)
    await expect(open(person(null), {})).rejects.toThrow(ForbiddenError)
  })

  it('is a table with the JWS, or lines with the claims as they were signed', async () => {
    const { jws, claims } = await getReceipt(admin, reply)
    const [head, row = ''] = (await (await open(viewer, {}, 'csv')).text()).split('\r\n')
    expect(head).toBe(
      'id,issuedAt,brandId,brandName,personalAgent,user,grantId,scopesUsed,tools,contextId,messageId,jws',
    )
    expect(row.split(',')).toEqual(expect.arrayContaining([BRAND_ID, 'jane-4471', grantId, jws]))
    const [line = ''] = (await (await open(viewer, {})).text()).split('\n')
    expect(JSON.parse(line)).toMatchObject({ id: reply, claims, jws })
  })

  it('goes on from chunk to chunk, each receipt once, and holds no connection between them', async () => {
    await pool().query(
      `INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims", "issuedAt")
      SELECT "brandId", "grantId", "conversationId", "messageId", "jws", '{"batch": 1}', '2020-01-01'::date + n / 3 * interval '1 second'
      FROM "Receipt", generate_series(1, 1200) n WHERE "id" = $1`,
      [reply],
    )
    const reader = (await open(viewer, { until: '2020-12-31' })).body?.getReader()
    await reader?.read()
    expect(pool().idleCount).toBe(pool().totalCount)
    await reader?.cancel()
    const ids = await exported(viewer, { until: '2020-12-31' })
    expect([ids.length, new Set(ids).size]).toEqual([1200, 1200])
    await pool().query(`DELETE FROM "Receipt" WHERE "claims" @> '{"batch": 1}'`)
  })
})

describe('a Brand that hides texts from a role', () => {
  beforeAll(() => prisma().brand.update({ where: { id: BRAND_ID }, data: { maskedFor: ['viewer'] } }))
  afterAll(() => prisma().brand.update({ where: { id: BRAND_ID }, data: { maskedFor: [] } }))

  it('shows it no hashes of arguments: neither in the claims nor in what was signed', async () => {
    const { claims } = await getReceipt(admin, reply)
    expect(claims.actions.some(({ argsHash }) => argsHash)).toBe(true)
    const masked = await getReceipt(viewer, reply)
    expect(masked).toMatchObject({ jws: undefined, claims: { user: 'jane-4471' } })
    expect(masked.claims.actions).toEqual(claims.actions.map(({ tool }) => ({ tool })))
  })

  it('exports none to it', async () => {
    const filter = receiptFilterSchema.parse({})
    for (const format of ['csv', 'jsonl'] as const) {
      const file = await exportReceipts({ viewer, actor }, filter, { format, name: 'receipts' })
      const text = await file.text()
      expect(text).toContain('jane-4471')
      expect(text).not.toMatch(/argsHash|eyJ/)
    }
  })
})

describe('a receipt that somebody pastes', () => {
  const jwsOf = async (id: string) => (await getReceipt(admin, id)).jws ?? ''

  it('is verified with the Brand’s keys, alone or in a whole answer', async () => {
    const jws = await jwsOf(reply)
    const verdict = await checkHeldReceipt(` ${jws}\n`)
    expect(verdict).toMatchObject({ ok: true, brandName: 'Loom & Thread', claims: { user: 'jane-4471' } })
    const answer = {
      message: { metadata: { 'pact.receipt': { jws, claims: (await getReceipt(admin, reply)).claims } } },
    }
    expect(await checkHeldReceipt(JSON.stringify(answer))).toEqual(verdict)
  })

  it('that was changed proves nothing', async () => {
    const [header, payload = '', signature] = (await jwsOf(reply)).split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const withClaims = (more: object, head = header) =>
      `${head}.${Buffer.from(JSON.stringify({ ...claims, ...more })).toString('base64url')}.${signature}`
    const head = (more: object) =>
      Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'pact-receipt+jws', ...more })).toString('base64url')
    const because = async (content: string) => {
      const verdict = await checkHeldReceipt(content)
      return verdict.ok ? 'ok' : verdict.because
    }
    expect(await because(withClaims({ user: 'tom' }))).toBe('signature')
    for (const kid of ['x', '\0', `${'x'.repeat(42)}\0`, undefined])
      expect(await because(withClaims({}, head({ kid })))).toBe('unknown-key')
    expect(await because(withClaims({}, head({ typ: 'at+jwt' })))).toBe('unreadable')
    expect(await because(withClaims({ brand: 'https://other.example/a2a/1' }))).toBe('elsewhere')
    const brand = claims.brand.replace(BRAND_ID, '01KAA0B5V7N2E6Y4D8GH5RPKQ0')
    expect(await because(withClaims({ brand }))).toBe('unknown-brand')
    expect(await because(withClaims({ brand: claims.brand.replace(BRAND_ID, OTHER_BRAND_ID) }))).toBe(
      'unknown-key',
    )
  })

  it.each(['', '{', '{}', '[1]', 'a.b.c', '\0', `{"message":${'{"message":'.repeat(9_000)}`])(
    'that is none is told so: %#',
    async (content) => {
      expect(await checkHeldReceipt(content)).toMatchObject({ ok: false, because: 'unreadable' })
    },
  )

  it('counts no more once its key is compromised or removed', async () => {
    const jws = await jwsOf(reply)
    await prisma().signingKey.updateMany({ where: { brandId: BRAND_ID }, data: { state: 'compromised' } })
    expect(await checkHeldReceipt(jws)).toMatchObject({ ok: false, because: 'compromised-key' })
    await prisma().signingKey.updateMany({ where: { brandId: BRAND_ID }, data: { state: 'removed' } })
    expect(await checkHeldReceipt(jws)).toMatchObject({ ok: false, because: 'removed-key' })
  })
})
