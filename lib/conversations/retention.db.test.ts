import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetStepUps, forgetStepUpsStatement, purgeStatement, purgeTexts } from './retention.ts'

let sender: Awaited<ReturnType<typeof startDelegatedSender>>

beforeAll(async () => {
  log().level = 'silent'
  sender = await startDelegatedSender()
  await prisma().brand.update({ where: { id: BRAND_ID }, data: { retentionDays: 30 } })
})
afterAll(() => sender.close())

const age = (days: number, messageId: string) =>
  pool().query(`UPDATE "Message" SET "receivedAt" = now() - $1 * interval '1 day' WHERE "messageId" = $2`, [
    days,
    messageId,
  ])
const textsOf = (messageId: string) =>
  prisma().message.findMany({ where: { messageId }, select: { text: true, replyText: true } })

it('deletes texts once their time is over, and keeps everything else', async () => {
  const { subject, token } = await sender.allow('orders:read')
  const say = (messageId: string, contextId?: string) =>
    sender.send('show my orders', {
      subject,
      token,
      message: { messageId, ...(contextId ? { contextId } : {}) },
    })
  const contextId = (await say('old')).body.message.contextId
  await say('new', contextId)
  await sender.send('an order', { subject: 'x', brandId: OTHER_BRAND_ID, message: { messageId: 'other' } })
  await age(31, 'old')
  await age(29, 'new')
  await age(400, 'other')

  expect(await purgeTexts()).toBe(1)
  expect(await purgeTexts()).toBe(0)
  expect(await textsOf('old')).toEqual([{ text: '', replyText: null }])
  expect(await textsOf('new')).toMatchObject([{ text: 'show my orders' }])
  expect(await textsOf('other')).toMatchObject([{ text: 'an order' }])
  const old = await prisma().message.findFirstOrThrow({ where: { messageId: 'old' } })
  expect(old.repliedAt && old.replyId && old.receipt && old.purgedAt).toBeTruthy()

  // §4.3: a repetition finds no stored reply, and the agent does not run again.
  const calls = sender.api.calls.length
  const again = await say('old', contextId)
  expect(again.status).toBe(400)
  expect(again.body.error.details[0].reason).toBe('INVALID_PARAMS')
  expect(sender.api.calls.length).toBe(calls)
  expect((await say('new', contextId)).status).toBe(200)
})

it('goes by the Provider’s time at a Brand that says nothing, and by the Brand’s where it does', async () => {
  const say = (messageId: string, brandId: string) =>
    sender.send('an order', { subject: 'p', brandId, message: { messageId } })
  await say('silent-old', OTHER_BRAND_ID)
  await say('silent-new', OTHER_BRAND_ID)
  await say('own', BRAND_ID)
  await age(11, 'silent-old')
  await age(9, 'silent-new')
  await age(11, 'own')
  await age(0, 'other')
  await prisma().provider.update({ where: { id: 1 }, data: { retentionDays: 10 } })
  expect(await purgeTexts()).toBe(1)
  await prisma().provider.update({ where: { id: 1 }, data: { retentionDays: null } })
  expect(await textsOf('silent-old')).toEqual([{ text: '', replyText: null }])
  expect(await textsOf('silent-new')).toMatchObject([{ text: 'an order' }])
  expect(await textsOf('own')).toMatchObject([{ text: 'an order' }])
})

it('lets the agent forget with the last text', async () => {
  const first = await sender.send('an order', { subject: 'forgetful', message: { messageId: 'state' } })
  const id = first.body.message.contextId
  const stateOf = async () => (await prisma().conversation.findUniqueOrThrow({ where: { id } })).agentState
  expect(await stateOf()).toEqual({ state: 'asked_number' })
  await age(31, 'state')
  await pool().query(
    `UPDATE "Conversation" SET "lastActiveAt" = now() - interval '31 days' WHERE "id" = $1`,
    [id],
  )
  await purgeTexts()
  expect(await stateOf()).toEqual({})
})

it('forgets step-ups that are kept for people alone, and never what a next run must know', async () => {
  const asked = await sender.send('cancel A-88213', { subject: 'asked', message: { messageId: 'asked' } })
  const conversationId = asked.body.task.contextId
  const kept = { brandId: BRAND_ID, conversationId, createdAt: new Date(Date.now() - 31 * 86_400_000) }
  await prisma().stepUp.create({
    data: { ...kept, messageId: 'known', calls: [{ tool: 't', became: 'held' }] },
  })
  await prisma().stepUp.create({ data: { ...kept, messageId: 'readable', missingScopes: ['orders:cancel'] } })
  expect(await forgetStepUps()).toBe(1)
  expect(await forgetStepUps()).toBe(0)
  const left = await prisma().stepUp.findMany({ where: { conversationId }, orderBy: { messageId: 'asc' } })
  expect(left.map(({ messageId }) => messageId)).toEqual(['asked', 'known'])
})

it('keeps a message that asks for the same again, without a token, as one step-up', async () => {
  const message = { messageId: 'again' }
  const first = await sender.send('cancel A-88213', { subject: 'again', message })
  const conversationId = first.body.task.contextId
  const again = { subject: 'again', message: { ...message, contextId: conversationId } }
  const { createdAt } = await prisma().stepUp.findFirstOrThrow({ where: { conversationId } })
  for (let round = 0; round < 3; round++) await sender.send('cancel A-88213', again)
  const kept = await prisma().stepUp.findMany({ where: { conversationId } })
  expect(kept.map(({ missingScopes }) => missingScopes)).toEqual([['orders:read', 'orders:cancel']])
  expect(kept[0]?.createdAt.getTime()).toBeGreaterThan(createdAt.getTime())
})

it('takes many in batches, whoever else sweeps at the same moment', async () => {
  const conversation = await prisma().conversation.findFirstOrThrow({ where: { brandId: BRAND_ID } })
  await pool().query(
    `INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "receivedAt")
    SELECT $1, $2, 'many-' || n, 'text', now() - interval '31 days' FROM generate_series(1, 1200) n`,
    [BRAND_ID, conversation.id],
  )
  const counts = await Promise.all([purgeTexts(), purgeTexts(), purgeTexts()])
  const left = await purgeTexts()
  expect(counts.reduce((sum, count) => sum + count, left)).toBe(1_200)
  expect(await prisma().message.count({ where: { text: 'text' } })).toBe(0)
})

it('finds what is due by its index', async () => {
  await pool().query(
    `INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text")
    SELECT $1, (SELECT "id" FROM "Conversation" LIMIT 1), 'kept-' || n, 'kept' FROM generate_series(1, 20000) n`,
    [OTHER_BRAND_ID],
  )
  await pool().query('ANALYZE')
  const { rows } = await pool().query(`EXPLAIN ${purgeStatement.text}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('Message_brandId_receivedAt_kept')
  expect(plan).not.toContain('Seq Scan on "Message"')
})

it('finds the step-ups that are due by their index', async () => {
  await pool().query(
    `INSERT INTO "StepUp" ("brandId", "conversationId", "messageId")
    SELECT $1, (SELECT "id" FROM "Conversation" LIMIT 1), 'kept-' || n FROM generate_series(1, 20000) n`,
    [OTHER_BRAND_ID],
  )
  await pool().query('ANALYZE')
  const { rows } = await pool().query(`EXPLAIN ${forgetStepUpsStatement.text}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('StepUp_brandId_createdAt_readable')
  expect(plan).not.toContain('Seq Scan on "StepUp"')
})
