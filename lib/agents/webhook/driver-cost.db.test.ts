import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { startBotProcess } from '#e2e/harness/bot-process.ts'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { measureCpu } from '#e2e/harness/cpu-cost.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { takeTurn } from '#lib/conversations/take-turn.ts'
import type { Agent } from '../agent.ts'
import { webhookAgentSchema } from '../webhook-schema.ts'
import { buildWebhookAgent } from './webhook-agent.ts'

databaseOfThisFile()

const plain: Agent = {
  timeLimit: 10_000,
  run: async ({ state }) => ({ reply: 'Hello.', state, close: false, actions: [], scopesUsed: [] }),
}

it('a turn costs less than 5 ms beside what the bot takes and what every turn costs', async () => {
  const owner = await storeConversationOwner()
  const { url, stop } = await startBotProcess()
  const settings = webhookAgentSchema({ allowLoopback: true }).parse({
    driver: 'webhook',
    url,
    history: 'full',
  })
  const take = async (agent: Agent, contextId?: string) => {
    const message = { text: 'Are you open on Sunday?', contextId, messageId: randomUUID() }
    const result = await takeTurn(owner, message, { agent, idleTime: 3_600_000 })
    if (result.kind !== 'replied') throw new Error(`not replied: ${result.kind}`)
    return result.reply.contextId
  }
  /** Conversations of 50 turns: a call brings 25 turns on average. */
  const costOf = (agent: Agent) => {
    let turns = 0
    let contextId: string | undefined
    return measureCpu(async () => {
      contextId = await take(agent, turns++ % 50 === 0 ? undefined : contextId)
    })
  }
  const everyTurn = await costOf(plain)
  const withBot = await costOf(buildWebhookAgent(settings, []))
  stop()
  expect(withBot - everyTurn).toBeLessThan(5)
})
