import { afterAll, beforeAll, beforeEach } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { startBot, type TestBot } from './bot.ts'
import { BRAND_ID } from './provision.ts'

/** Puts a bot in the place of a test Brand's agent. @param settings of the `webhook` driver, beside the defaults */
export async function answerByBot(
  settings: { url: string; [name: string]: unknown },
  brandId = BRAND_ID,
): Promise<void> {
  const agent = { driver: 'webhook', history: 'new', timeLimitSeconds: 1, ...settings }
  await prisma().brand.update({ where: { id: brandId }, data: { agent } })
  forgetConfirmation()
}

/**
 * A bot for all tests of the file that calls this, started and closed by Vitest's hooks, in the place of the test Brand's
 * agent. Before each test it forgets its calls and answers with what it is told.
 */
export function botOfThisFile(): Omit<TestBot, 'close'> {
  let started: TestBot | undefined
  const bot = (): TestBot => {
    if (started) return started
    throw new Error('the bot starts before the first test')
  }
  beforeAll(async () => {
    started = await startBot()
  })
  afterAll(() => started?.close())
  beforeEach(async () => {
    bot().calls.length = 0
    bot().answerWith(({ json }) => ({ reply: `Bot: ${json.text}` }))
    await answerByBot({ url: bot().url })
  })
  return {
    get url() {
      return bot().url
    },
    get calls() {
      return bot().calls
    },
    answerWith: (answer) => bot().answerWith(answer),
  }
}
