import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { answerByBot, botOfThisFile } from '#e2e/harness/bot-brand.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { pool } from '#lib/platform/database.ts'

const sender = delegatedSenderOfThisFile()
const bot = botOfThisFile()

const TURNS = 200

it('two hundred turns that wait for a bot hold no connection of the database, less than 60 MB, and no other Brand up', async () => {
  await answerByBot({ url: bot.url, timeLimitSeconds: 60 })
  const send = (brandId: string) => sender.send('hello', { subject: randomUUID(), brandId })
  await send(BRAND_ID)
  bot.calls.length = 0
  const open = Promise.withResolvers<void>()
  bot.answerWith(async () => {
    await open.promise
    return { reply: 'At last.' }
  })
  const before = process.memoryUsage().rss
  const waiting = Array.from({ length: TURNS }, () => send(BRAND_ID))
  await expect.poll(() => bot.calls.length, { timeout: 30_000 }).toBe(TURNS)
  await expect.poll(() => pool().totalCount - pool().idleCount).toBe(0)
  expect(pool().waitingCount).toBe(0)
  // The bot's own part is in it.
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(60)
  expect((await send(OTHER_BRAND_ID)).body.message.parts).toEqual([{ text: 'You said: hello' }])
  expect(bot.calls).toHaveLength(TURNS)
  open.resolve()
  const statuses = (await Promise.all(waiting)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(TURNS)
})
