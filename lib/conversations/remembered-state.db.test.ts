import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import type { Agent, AgentState } from '#lib/agents/agent.ts'
import { assign } from '#lib/agents/state.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

const brandId = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
let database: Awaited<ReturnType<typeof freshDatabase>>
let owner: Owner

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  await prisma().brand.create({ data: { id: brandId, name: 'A', description: 'Sells.', agent: {} } })
  const { id } = await prisma().personalAgent.create({
    data: { issuer: 'https://pa.example', jwksUri: 'https://pa.example/jwks', name: 'A PA' },
  })
  owner = { brandId, personalAgentId: id, subject: 'user-1' }
})

afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

it('what was assigned last stays, also over turns and whatever the names are', async () => {
  let seen: AgentState = {}
  const agent: Agent = {
    timeLimit: 1_000,
    async run({ text, state }) {
      seen = state
      const next = assign(state, [[text, 1]])
      return { reply: 'Noted.', state: next, close: false, actions: [], scopesUsed: [] }
    },
  }
  const names = Array.from(
    { length: 34 },
    (_, n) => (n % 2 ? 'z' : 'long_name_').repeat(1 + (n % 3)) + (50 - n),
  )
  let contextId: string | undefined
  for (const name of [...names, 'last']) {
    const message = { text: name, contextId, messageId: randomUUID() }
    const result = await takeTurn(owner, message, { agent, idleTime: 60_000 })
    if (result.kind !== 'replied') throw new Error(result.kind)
    contextId = result.reply.contextId
  }
  expect(Object.keys(seen)).toEqual(names.slice(2))
})
