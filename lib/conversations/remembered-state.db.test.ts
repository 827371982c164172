import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import type { Agent, AgentState } from '#lib/agents/agent.ts'
import { assign } from '#lib/agents/state.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
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
