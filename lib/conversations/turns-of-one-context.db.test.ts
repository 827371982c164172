import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { countingAgent, HOUR, replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { claimFirstTurn } from './claim-turn.ts'
import type { Owner, TurnResult } from './conversation.ts'
import { settleTurn } from './settle-turn.ts'
import { takeTurn } from './take-turn.ts'

const brandId = BRAND_ID
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

describe('turns of one context', () => {
  it('run one at a time, in the order in which they came', async () => {
    const brand = countingAgent({ pause: 30 })
    const { contextId } = replyOf(await takeTurn(owner, say('first'), brand))
    const texts = ['b', 'c', 'd', 'e', 'f']
    const waiting: Promise<TurnResult>[] = []
    for (const text of texts) {
      waiting.push(takeTurn(owner, say(text, contextId), brand))
      await sleep(8)
    }
    const replies = (await Promise.all(waiting)).map((result) => replyOf(result).text)
    expect(replies).toEqual(texts.map((text, index) => `turn ${index + 2}: ${text}`))
    for (const [index, turn] of brand.seen.entries()) {
      expect(turn.from).toBeGreaterThanOrEqual(brand.seen[index - 1]?.to ?? 0)
    }
  })

  it('hold no connection while the agent runs', async () => {
    const brand = countingAgent({ pause: 1_500 })
    const running = Array.from({ length: 40 }, () => takeTurn(owner, say('a'), brand))
    await vi.waitFor(() => expect(brand.seen).toHaveLength(40), { timeout: 1_200 })
    expect(brand.seen.filter(({ to }) => to > 0)).toEqual([])
    expect(pool().totalCount - pool().idleCount).toBe(0)
    expect((await Promise.all(running)).every(({ kind }) => kind === 'replied')).toBe(true)
  })

  it('are told to come back when the earlier one takes too long; nothing is stored', async () => {
    const slow = countingAgent({ pause: 600 })
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const first = takeTurn(owner, say('b', contextId), slow)
    await sleep(50)
    const message = say('c', contextId)
    expect(await takeTurn(owner, message, countingAgent({ timeLimit: 100 }))).toEqual({ kind: 'busy' })
    expect((await first).kind).toBe('replied')
    expect((await takeTurn(owner, message, countingAgent())).kind).toBe('replied')
  })

  it('of an agent past its time limit end without a reply, and the next may begin', async () => {
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const stuck = countingAgent({ pause: 10_000, timeLimit: 50 })
    const message = say('b', contextId)
    expect((await takeTurn(owner, message, stuck)).kind).toBe('failed')
    expect(await takeTurn(owner, message, countingAgent())).toEqual({ kind: 'unanswered' })
    expect(replyOf(await takeTurn(owner, say('c', contextId), countingAgent())).text).toBe('turn 2: c')
  })

  it('that a crash left running give way when their time is over, and can no longer settle', async () => {
    const left = await claimFirstTurn(owner, say('a'), {
      turnTime: 80,
      idleTime: HOUR,
      brandUserId: undefined,
    })
    const brand = countingAgent()
    const next = replyOf(await takeTurn(owner, say('b', left.contextId), brand))
    expect(next.text).toBe('turn 1: b')
    const late = { reply: 'too late', state: {}, close: true, actions: [], scopesUsed: [] }
    expect(await settleTurn(left, late)).toBeUndefined()
    const stored = await prisma().message.findMany({
      where: { conversationId: left.contextId, brandId },
      orderBy: { id: 'asc' },
    })
    expect(stored.map(({ text, replyText }) => [text, replyText])).toEqual([
      ['a', null],
      ['b', 'turn 1: b'],
    ])
  })
})

describe('statements of the hot path', () => {
  it('are two for a turn that has to run, first or continued', async () => {
    const brand = countingAgent()
    const first = await statementsOf(() => takeTurn(owner, say('a'), brand))
    expect(first.statements).toHaveLength(2)
    const { contextId } = replyOf(first.result)
    expect((await statementsOf(() => takeTurn(owner, say('b', contextId), brand))).statements).toHaveLength(2)
  })
})
