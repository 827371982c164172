import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { measureCpu } from '#e2e/harness/cpu-cost.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { startModel, type TestModel } from '#e2e/harness/model-endpoint.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { buildLlmAgent } from '#lib/agents/llm/llm-agent.ts'
import { llmAgentSchema } from '#lib/agents/llm-schema.ts'
import { buildScriptedAgent } from '#lib/agents/scripted.ts'
import { scriptedAgentSchema } from '#lib/agents/scripted-schema.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

const WAITING = 200
const idleTime = 3_600_000

const scripted = {
  idleTime,
  agent: buildScriptedAgent(
    scriptedAgentSchema.parse({
      driver: 'scripted',
      rules: [{ when: { words: ['order'] }, reply: 'You said: {{ text }}' }],
      fallback: 'I take orders.',
    }),
    [],
  ),
}

function buildModelBrand(endpoint: string) {
  const settings = {
    driver: 'llm',
    endpoint,
    model: 'm',
    instructions: 'Be polite. '.repeat(500),
    timeLimitSeconds: 120,
  }
  return { agent: buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), []), idleTime }
}

async function talk(owner: Owner, text: string, brand: typeof scripted): Promise<void> {
  const result = await takeTurn(owner, { text, contextId: undefined, messageId: randomUUID() }, brand)
  if (result.kind !== 'replied') throw new Error(`not replied: ${result.kind}`)
}

/** What a scripted turn costs while as many turns as {@link WAITING} wait for the model. */
async function costBeside(model: TestModel, owner: Owner, costOf: () => Promise<number>): Promise<number> {
  const brand = buildModelBrand(model.url)
  const open = Promise.withResolvers<void>()
  model.requests.length = 0
  model.answerWith(async () => {
    await open.promise
    return { text: 'At last.' }
  })
  const waiting = Array.from({ length: WAITING }, () => talk(owner, 'I would like an appointment.', brand))
  await expect.poll(() => model.requests.length, { timeout: 30_000 }).toBe(WAITING)
  const cost = await costOf()
  expect(model.requests).toHaveLength(WAITING)
  open.resolve()
  await Promise.all(waiting)
  return cost
}

// Both are measured in turns, and more than once where others disturb: what else the machine does weighs on each alike.
it('while 200 turns wait for a model, a scripted turn of another Brand costs at most a fifth more', {
  retry: 2,
}, async () => {
  const model = await startModel()
  const other = { ...owner, brandId: OTHER_BRAND_ID }
  const costOf = () => measureCpu(() => talk(other, 'an order', scripted), { rounds: 6, runs: 50 })
  await costBeside(model, owner, costOf)
  const alone: number[] = []
  const beside: number[] = []
  for (let n = 0; n < 4; n++) {
    alone.push(await costOf())
    beside.push(await costBeside(model, owner, costOf))
  }
  await model.close()
  expect(Math.min(...beside) / Math.min(...alone)).toBeLessThan(1.2)
})
