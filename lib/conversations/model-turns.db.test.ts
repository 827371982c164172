import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { startModelProcess } from '#e2e/harness/model-process.ts'
import { buildLlmAgent } from '#lib/agents/llm/llm-agent.ts'
import { llmAgentSchema } from '#lib/agents/llm-schema.ts'
import { pool } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner
let model: Awaited<ReturnType<typeof startModelProcess>>

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  model = await startModelProcess()
})
afterAll(() => model.stop())

function buildBrand() {
  const settings = llmAgentSchema({ allowLoopback: true }).parse({
    driver: 'llm',
    endpoint: model.url,
    model: 'willow-lane',
    instructions: 'You are the assistant of a dentist. '.repeat(200),
  })
  return { agent: buildLlmAgent(settings, []), idleTime: 3_600_000 }
}

async function talk(brand: ReturnType<typeof buildBrand>, text: string, contextId?: string): Promise<string> {
  const result = await takeTurn(owner, { text, contextId, messageId: randomUUID() }, brand)
  if (result.kind !== 'replied') throw new Error(`not replied: ${result.kind}`)
  return result.reply.contextId
}

it('200 turns that wait for a slow model hold no database connection and less than 60 MB', async () => {
  const brand = buildBrand()
  await talk(brand, 'Hello.')
  const text = `[[slow 4000]] ${'I would like an appointment. '.repeat(100)}`
  const before = process.memoryUsage().rss
  const turns = Array.from({ length: 200 }, () => talk(brand, text))
  await sleep(2_500)
  const { totalCount, idleCount, waitingCount } = pool()
  expect({ busy: totalCount - idleCount, waitingCount }).toEqual({ busy: 0, waitingCount: 0 })
  expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(60)
  expect(await Promise.all(turns)).toHaveLength(200)
})
