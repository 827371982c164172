import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Actor } from '#lib/access/audit.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { readPageRequest } from '#lib/platform/keyset.ts'
import { log } from '#lib/platform/log.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { closeConversation } from './close-conversation.ts'
import { listConversations } from './list-conversations.ts'
import { conversationFilterSchema } from './list-schema.ts'
import { readTranscript } from './transcript.ts'

let sender: Awaited<ReturnType<typeof startDelegatedSender>>
/** A conversation of the first Brand with a step-up in it, and one of the other Brand. */
let own: string
let foreign: string
let subject: string

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
  (await listConversations(who, conversationFilterSchema.parse(filter))).rows.map(({ id }) => id)

beforeAll(async () => {
  log().level = 'silent'
  sender = await startDelegatedSender()
  const { subject: allowed, token, grantId } = await sender.allow('orders:read')
  subject = allowed
  const first = await sender.send('show my orders', { subject, token })
  own = first.body.message.contextId
  const message = { contextId: own, messageId: 'm-cancel' }
  await sender.send('cancel A-88213', { subject, token, message })
  await prisma().grant.update({
    where: { id: grantId },
    data: { scopes: ['orders:read', 'orders:cancel'] },
  })
  const better = await sender.tokenFor(grantId, ['orders:read', 'orders:cancel'])
  await sender.send('cancel A-88213', { subject, token: better, message })
  const other = await sender.send('hello', { subject: 'someone', brandId: OTHER_BRAND_ID })
  foreign = other.body.message.contextId
}, 60_000)
afterAll(() => sender.close())

describe('the list of conversations', () => {
  it('shows a viewer only the Brands that are theirs', async () => {
    expect(await ids(admin)).toEqual([foreign, own])
    expect(await ids(viewer)).toEqual([own])
    expect(await ids(stranger)).toEqual([foreign])
    expect(await ids(person(null, { [BRAND_ID]: 'viewer', [OTHER_BRAND_ID]: 'viewer' }))).toEqual([
      foreign,
      own,
    ])
    await expect(ids(viewer, { brand: OTHER_BRAND_ID })).rejects.toThrow(ForbiddenError)
    await expect(ids(person(null))).rejects.toThrow(ForbiddenError)
  })

  it.each([
    ['the Brand user', () => ({ user: 'jane-4471' }), () => [own]],
    ['the sub', () => ({ user: subject }), () => [own]],
    ['nobody’s id', () => ({ user: 'jane' }), () => []],
    ['the personal agent’s issuer', () => ({ agent: sender.agent.issuer }), () => [foreign, own]],
    ['another personal agent', () => ({ agent: sender.otherAgent.issuer }), () => []],
    ['days in the past', () => ({ until: '2020-01-01' }), () => []],
    ['days from then on', () => ({ from: '2020-01-01' }), () => [foreign, own]],
    ['those that are open', () => ({ state: 'open' }), () => [foreign, own]],
    ['those that are closed', () => ({ state: 'closed' }), () => []],
    [
      'nonsense, which counts as nothing',
      () => ({ state: 'x', from: 'y', brand: ['z'] }),
      () => [foreign, own],
    ],
  ])('is filtered by %s', async (_, filter, expected) => {
    expect(await ids(admin, filter())).toEqual(expected())
  })

  it('tells of one that rested too long as closed', async () => {
    const rest = (hours: number) =>
      pool().query(
        `UPDATE "Conversation" SET "lastActiveAt" = now() - $1 * interval '1 hour', "turnUntil" = NULL WHERE "id" = $2`,
        [hours, foreign],
      )
    await rest(25)
    expect(await ids(admin, { state: 'closed' })).toEqual([foreign])
    expect(await ids(admin, { state: 'open' })).toEqual([own])
    await rest(0)
  })

  it('goes on from page to page and back, with nothing lost or shown twice', async () => {
    await pool().query(
      `INSERT INTO "Conversation" ("id", "brandId", "personalAgentId", "subject", "createdAt")
      SELECT gen_random_uuid(), $1, (SELECT "id" FROM "PersonalAgent" LIMIT 1), 'many', now() - (n / 3) * interval '1 second'
      FROM generate_series(1, 120) n`,
      [BRAND_ID],
    )
    const filter = { user: 'many' }
    const pages = []
    let page = await listConversations(viewer, filter)
    pages.push(page)
    while (page.after) {
      page = await listConversations(viewer, filter, readPageRequest({ after: page.after }, /./))
      pages.push(page)
    }
    expect(pages.map(({ rows }) => rows.length)).toEqual([50, 50, 20])
    const seen = pages.flatMap(({ rows }) => rows.map(({ id }) => id))
    expect(new Set(seen).size).toBe(120)
    const back = await listConversations(viewer, filter, readPageRequest({ before: page.before }, /./))
    expect(back.rows).toEqual(pages[1]?.rows)
    const first = await listConversations(viewer, filter, readPageRequest({ before: back.before }, /./))
    expect(first).toEqual({ ...pages[0] })
  })
})

describe('a transcript', () => {
  it('tells turns, step-ups and tool calls in their order', async () => {
    const { entries, conversation } = await readTranscript(viewer, own)
    expect(conversation).toMatchObject({ state: 'open', brandUserId: 'jane-4471', masked: false })
    expect(
      entries.map((entry) => [entry.kind, entry.receipt?.claims.actions.map(({ tool }) => tool)]),
    ).toEqual([
      ['turn', ['list_orders']],
      ['step-up', []],
      ['turn', ['list_orders', 'cancel_order']],
    ])
    expect(entries[1]).toMatchObject({ messageId: 'm-cancel', missingScopes: ['orders:cancel'] })
    expect(entries[2]).toMatchObject({
      messageId: 'm-cancel',
      text: { text: 'cancel A-88213' },
      running: false,
    })
  })

  it('tells of a step-up that ran without a token, and left no receipt', async () => {
    const asked = await sender.send('cancel A-88213', {
      subject: 'tokenless',
      message: { messageId: 'm-tokenless' },
    })
    const { entries } = await readTranscript(viewer, asked.body.task.contextId)
    expect(entries).toEqual([
      {
        kind: 'step-up',
        id: expect.stringMatching(/^asked-\d+$/),
        messageId: 'm-tokenless',
        at: expect.any(Date),
        missingScopes: ['orders:read', 'orders:cancel'],
        receipt: undefined,
      },
    ])
  })

  it('gives lengths, and never a text, to a role for which the Brand masks it', async () => {
    await prisma().brand.update({ where: { id: BRAND_ID }, data: { maskedFor: ['viewer'] } })
    const masked = await readTranscript(viewer, own)
    expect(masked.conversation.masked).toBe(true)
    expect(masked.entries).toHaveLength(3)
    expect(JSON.stringify(masked)).not.toContain('cancel A-88213')
    expect(masked.entries[2]).toMatchObject({ text: { masked: 14 } })
    expect(JSON.stringify(masked)).not.toContain('argsHash')
    const shown = await readTranscript(manager, own)
    expect(shown.entries[2]).toMatchObject({ text: { text: 'cancel A-88213' } })
    expect(JSON.stringify(shown)).toContain('argsHash')
    await prisma().brand.update({ where: { id: BRAND_ID }, data: { maskedFor: [] } })
  })

  it('keeps every reply’s receipt among very many step-ups, and says that those were cut', async () => {
    expect((await readTranscript(viewer, own)).cut).toBe(false)
    await pool().query(
      `INSERT INTO "Receipt" ("brandId", "grantId", "conversationId", "messageId", "jws", "claims", "issuedAt")
      SELECT r."brandId", r."grantId", r."conversationId", 'again', r."jws" || n, r."claims",
        r."issuedAt" - interval '1 day'
      FROM (SELECT * FROM "Receipt" WHERE "conversationId" = $1 LIMIT 1) r, generate_series(1, 600) n`,
      [own],
    )
    const { entries, cut } = await readTranscript(viewer, own)
    const turns = entries.filter(({ kind }) => kind === 'turn')
    expect(turns.map(({ receipt }) => receipt !== undefined)).toEqual([true, true])
    expect([entries.length - turns.length, cut]).toEqual([500, true])
    await pool().query(`DELETE FROM "Receipt" WHERE "messageId" = 'again'`)
  })

  it('of another Brand, an unknown one and nonsense are refused alike', async () => {
    for (const id of [own, '01890000-0000-4000-8000-000000000000', "'", '']) {
      await expect(readTranscript(stranger, id)).rejects.toThrow(ForbiddenError)
    }
  })

  it('goes on after a message', async () => {
    const { entries } = await readTranscript(viewer, own)
    const rest = await readTranscript(viewer, own, entries[0]?.id)
    expect(rest.continued).toBe(true)
    expect(rest.entries.at(-1)).toEqual(entries.at(-1))
    expect(rest.entries.some(({ id, kind }) => kind === 'turn' && id === entries[0]?.id)).toBe(false)
  })
})

describe('closing a conversation', () => {
  it('is refused to whoever may not, and changes nothing', async () => {
    for (const who of [viewer, stranger, person('auditor')]) {
      await expect(closeConversation(who, actor, own)).rejects.toThrow(ForbiddenError)
    }
    expect(await ids(admin, { state: 'closed' })).toEqual([])
  })

  it('happens once, is in the audit log, and its next message is refused (§4.2)', async () => {
    const outcomes = await Promise.all([1, 2, 3].map(() => closeConversation(manager, actor, own)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    const events = await prisma().auditEvent.findMany({ where: { action: 'conversation.close' } })
    expect(events).toMatchObject([{ brandId: BRAND_ID, subject: own, actor: actor.name }])
    const { state, closedBy } = (await readTranscript(viewer, own)).conversation
    expect({ state, closedBy }).toEqual({ state: 'closed', closedBy: 'console' })
    const answer = await sender.send('hello?', { subject, message: { contextId: own } })
    expect(answer.body.error.details[0].reason).toBe('UNSUPPORTED_OPERATION')
  })
})
