import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { countingAgent, HOUR, replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import type { Agent } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

const brandId = BRAND_ID
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

describe('§4.3 a repeated messageId', () => {
  it('gets the stored reply, without running the agent again', async () => {
    const brand = countingAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    const message = say('b', contextId)
    const once = await takeTurn(owner, message, brand)
    const twice = await takeTurn(owner, { ...message, text: 'something else' }, brand)
    expect(twice).toEqual(once)
    expect(brand.seen.map(({ text }) => text)).toEqual(['a', 'b'])
  })

  it('also when the message is the one that began the context', async () => {
    const brand = countingAgent()
    const message = say('a')
    const once = replyOf(await takeTurn(owner, message, brand))
    expect(await takeTurn(owner, { ...message, contextId: once.contextId }, brand)).toEqual({
      kind: 'replied',
      reply: once,
    })
  })

  it('counts within its context only', async () => {
    const brand = countingAgent()
    const first = replyOf(await takeTurn(owner, say('a', undefined, 'm-1'), brand))
    const second = replyOf(await takeTurn(owner, say('a', undefined, 'm-1'), brand))
    expect(second.contextId).not.toBe(first.contextId)
    expect(brand.seen).toHaveLength(2)
  })

  it('is refused while the first one runs, and never runs twice', async () => {
    const brand = countingAgent({ pause: 150 })
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    const message = say('b', contextId)
    const first = takeTurn(owner, message, brand)
    await sleep(50)
    expect(await takeTurn(owner, message, brand)).toEqual({ kind: 'unanswered' })
    expect((await first).kind).toBe('replied')
    expect(brand.seen).toHaveLength(2)
  })

  it('runs once however many arrive at the same moment', async () => {
    const brand = countingAgent({ pause: 20 })
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    for (let round = 0; round < 10; round++) {
      const message = say(`round ${round}`, contextId)
      const results = await Promise.all(Array.from({ length: 8 }, () => takeTurn(owner, message, brand)))
      const kinds = new Set(results.map(({ kind }) => kind))
      expect(results.some(({ kind }) => kind === 'replied')).toBe(true)
      expect([...kinds].every((kind) => kind === 'replied' || kind === 'unanswered')).toBe(true)
    }
    expect(brand.seen).toHaveLength(11)
  })

  it('gets the reply of a turn that began and ended while its own claim waited', async () => {
    const brand = countingAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    const message = say('b', contextId)
    const elsewhere = await pool().connect()
    try {
      await elsewhere.query('BEGIN')
      await elsewhere.query('SELECT FROM "Conversation" WHERE "id" = $1 FOR UPDATE', [contextId])
      const result = takeTurn(owner, message, brand)
      await vi.waitFor(async () => {
        const { rows } = await pool().query(
          `SELECT FROM pg_stat_activity WHERE "wait_event_type" = 'Lock' AND datname = current_database()`,
        )
        expect(rows).toHaveLength(1)
      })
      await elsewhere.query(
        `INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "replyId", "replyText", "repliedAt")
         VALUES ($1, $2, $3, 'b', $4, 'from elsewhere', now())`,
        [brandId, contextId, message.messageId, randomUUID()],
      )
      await elsewhere.query('COMMIT')
      expect(replyOf(await result).text).toBe('from elsewhere')
    } finally {
      elsewhere.release()
    }
    expect(brand.seen).toHaveLength(1)
  })

  it('of a message whose agent failed is refused: nothing runs twice', async () => {
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const broken: Agent = { timeLimit: 1_000, run: () => Promise.reject(new Error('broken')) }
    const message = say('b', contextId)
    expect((await takeTurn(owner, message, { agent: broken, idleTime: HOUR })).kind).toBe('failed')
    const brand = countingAgent()
    expect(await takeTurn(owner, message, brand)).toEqual({ kind: 'unanswered' })
    expect((await takeTurn(owner, say('c', contextId), brand)).kind).toBe('replied')
    expect(brand.seen.map(({ text }) => text)).toEqual(['c'])
  })
})
