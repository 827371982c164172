import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import type { Agent, PastTurn, TurnCaller } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

/** Remembers what it was told of the conversation, and answers in capitals; to `fail` it does not. */
function readingAgent(maxBytes = 10_000) {
  const seen: { turns: readonly PastTurn[]; caller: TurnCaller }[] = []
  const agent: Agent = {
    timeLimit: 5_000,
    async run({ text, state, caller, history }) {
      seen.push({ turns: await history(maxBytes), caller: await caller() })
      if (text === 'fail') throw new Error('out of order')
      return { reply: text.toUpperCase(), state, close: false, actions: [], scopesUsed: [] }
    },
  }
  return { agent, seen, idleTime: 3_600_000 }
}

async function talk(brand: ReturnType<typeof readingAgent>, texts: readonly string[]): Promise<string> {
  let contextId: string | undefined
  for (const text of texts) {
    const result = await takeTurn(owner, { text, contextId, messageId: randomUUID() }, brand)
    if (result.kind === 'replied') contextId = result.reply.contextId
  }
  return String(contextId)
}

it('an agent learns of the turns before its own, in their order, and of who calls', async () => {
  const brand = readingAgent()
  const contextId = await talk(brand, ['one', 'two'])
  await talk(brand, ['elsewhere'])
  await takeTurn(owner, { text: 'fail', contextId, messageId: randomUUID() }, brand)
  await takeTurn(owner, { text: 'three', contextId, messageId: randomUUID() }, brand)
  expect(brand.seen.map(({ turns }) => turns)).toEqual([
    [],
    [{ text: 'one', reply: 'ONE' }],
    [],
    [
      { text: 'one', reply: 'ONE' },
      { text: 'two', reply: 'TWO' },
    ],
    [
      { text: 'one', reply: 'ONE' },
      { text: 'two', reply: 'TWO' },
    ],
  ])
  expect(brand.seen[0]?.caller).toEqual({ issuer: 'https://pa.example', name: 'A PA', subject: 'user-1' })
})

it('it gets whole turns, the latest, as many as it asks for', async () => {
  const brand = readingAgent(12)
  await talk(brand, ['äb', 'cd', 'ef', 'gh', 'ij'])
  expect(brand.seen.at(-1)?.turns.map(({ text }) => text)).toEqual(['cd', 'ef', 'gh'])
  expect(brand.seen[2]?.turns.map(({ text }) => text)).toEqual(['äb', 'cd'])
})

it('texts that were deleted are gone for the agent too', async () => {
  const brand = readingAgent()
  const contextId = await talk(brand, ['one', 'two'])
  await pool().query(
    `UPDATE "Message" SET "text" = '', "replyText" = NULL, "purgedAt" = now() WHERE "conversationId" = $1 AND "text" = 'one'`,
    [contextId],
  )
  await takeTurn(owner, { text: 'three', contextId, messageId: randomUUID() }, brand)
  expect(brand.seen.at(-1)?.turns).toEqual([{ text: 'two', reply: 'TWO' }])
})
