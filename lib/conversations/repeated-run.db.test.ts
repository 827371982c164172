import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { playDelegation, storePlayedGrant } from '#e2e/harness/played-delegation.ts'
import { buildLlmAgent } from '#lib/agents/llm/llm-agent.ts'
import { llmAgentSchema } from '#lib/agents/llm-schema.ts'
import { toolSchema } from '#lib/agents/tools/schema.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner

databaseOfThisFile()
const { api, model } = modelAndApiOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  await storePlayedGrant(owner, 'orders')
})

const delegation = playDelegation('orders')

function buildBrand() {
  const settings = { driver: 'llm', endpoint: model.url, model: 'test', instructions: 'Be brief.' }
  const about = { type: 'object', properties: { about: { type: 'string' } }, required: ['about'] }
  const tools = [
    { name: 'ticket', arguments: about, request: { method: 'POST', url: `${api.origin}/tickets` } },
    { name: 'orders', scope: 'orders', request: { method: 'GET', url: `${api.origin}/orders` } },
  ].map((tool) => toolSchema({ allowLoopback: true }).parse({ description: 'A tool.', ...tool }))
  const agent = buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), tools)
  return { agent, idleTime: 3_600_000 }
}

const ticket = (about: string) => ({ tool: 'ticket', arguments: { about } })
const orders = { tool: 'orders', arguments: {} }

it('what was done under §3 before a step-up is not done again under the token that the User then gives', async () => {
  const brand = buildBrand()
  const message = { text: 'Something is wrong with my order.', contextId: undefined, messageId: randomUUID() }
  model.answerInTurn({ calls: [ticket('order')] }, { calls: [orders] }, { text: 'May I look?' })
  const asked = await takeTurn(owner, message, brand)
  if (asked.kind !== 'step-up') throw new Error(asked.kind)
  const { contextId } = asked.turn
  model.answerInTurn(
    { calls: [ticket('An order.'), ticket('order'), orders] },
    { text: 'I have written it down.' },
  )
  const again = await takeTurn(owner, { ...message, contextId }, brand, delegation)
  expect(again).toMatchObject({ kind: 'replied', reply: { text: 'I have written it down.' } })
  expect(api.calls.map(({ path, body }) => [path, body])).toEqual([
    ['/tickets', { about: 'order' }],
    ['/tickets', { about: 'order' }],
    ['/orders', undefined],
  ])
  const [first, second] = api.calls.map(({ headers }) => headers['idempotency-key'])
  expect(second).toBe(first)
  // Another message may do what it likes.
  api.calls.length = 0
  model.answerInTurn({ calls: [ticket('Another one.')] }, { text: 'I have written it down.' })
  await takeTurn(owner, { ...message, contextId, messageId: randomUUID() }, brand, delegation)
  expect(api.calls).toHaveLength(1)
})
