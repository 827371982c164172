import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import type { Agent, Answer } from '#lib/agents/agent.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { claimFirstTurn } from './claim-turn.ts'
import type { Owner, Reply, TurnResult } from './conversation.ts'
import { stopRunningTurns } from './running-turns.ts'
import { settleTurn } from './settle-turn.ts'
import { takeTurn } from './take-turn.ts'

const HOUR = 3_600_000
const brandId = BRAND_ID
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

/** Counts its turns and says the number, after `pause` milliseconds. */
function countingAgent(change: Partial<Answer> & { pause?: number; timeLimit?: number } = {}) {
  const { pause = 0, timeLimit = 5_000, ...outcome } = change
  const seen: { text: string; from: number; to: number }[] = []
  const agent: Agent = {
    timeLimit,
    async run({ text, state, signal }) {
      const turn = { text, from: performance.now(), to: 0 }
      seen.push(turn)
      if (pause) await sleep(pause, undefined, { signal })
      turn.to = performance.now()
      const turns = Number(state.turns ?? 0) + 1
      const done = { actions: [], scopesUsed: [] }
      return { reply: `turn ${turns}: ${text}`, state: { turns }, close: false, ...done, ...outcome }
    },
  }
  return { agent, seen, idleTime: HOUR }
}

function say(text: string, contextId?: string, messageId: string = randomUUID()) {
  return { text, contextId, messageId }
}

function replyOf(result: TurnResult): Reply {
  if (result.kind !== 'replied') throw new Error(`not replied: ${result.kind}`)
  return result.reply
}

describe('§4.2 a context', () => {
  it('is minted as a UUID v4, and carries what the agent remembers from turn to turn', async () => {
    const brand = countingAgent()
    const first = replyOf(await takeTurn(owner, say('a'), brand))
    expect(first.contextId).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const second = replyOf(await takeTurn(owner, say('b', first.contextId), brand))
    expect([first.text, second.text]).toEqual(['turn 1: a', 'turn 2: b'])
    expect(second.contextId).toBe(first.contextId)
  })

  it('is unknown to every other owner, and to whoever writes it otherwise', async () => {
    const brand = countingAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    const other = await prisma().personalAgent.create({
      data: { issuer: `https://${randomUUID()}.example`, jwksUri: 'https://x.example', name: 'Another' },
    })
    const strangers: Owner[] = [
      { ...owner, brandId: OTHER_BRAND_ID },
      { ...owner, subject: 'user-2' },
      { ...owner, personalAgentId: other.id },
    ]
    for (const stranger of strangers) {
      expect(await takeTurn(stranger, say('b', contextId), brand)).toEqual({ kind: 'unknown-context' })
    }
    for (const spelling of [
      contextId.toUpperCase(),
      `{${contextId}}`,
      contextId.replaceAll('-', ''),
      randomUUID(),
      'x',
    ]) {
      expect(await takeTurn(owner, say('b', spelling), brand)).toEqual({ kind: 'unknown-context' })
    }
    expect(brand.seen).toHaveLength(1)
  })

  it('ends when the agent ends it; the last reply can still be repeated', async () => {
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const farewell = say('bye', contextId)
    const last = await takeTurn(owner, farewell, countingAgent({ close: true }))
    expect(last.kind).toBe('replied')
    expect(await takeTurn(owner, say('more', contextId), countingAgent())).toMatchObject({ kind: 'closed' })
    expect(await takeTurn(owner, farewell, countingAgent())).toEqual(last)
    const stored = await prisma().conversation.findUniqueOrThrow({ where: { id: contextId, brandId } })
    expect(stored).toMatchObject({ state: 'closed', closedBy: 'agent', turnId: null, turnUntil: null })
  })

  it('ends when it has rested too long, and stays closed whatever the idle time becomes', async () => {
    const brand = countingAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
    await sleep(60)
    expect(await takeTurn(owner, say('b', contextId), { ...brand, idleTime: 50 })).toMatchObject({
      kind: 'closed',
    })
    expect(await takeTurn(owner, say('b', contextId), brand)).toMatchObject({ kind: 'closed' })
    const stored = await prisma().conversation.findUniqueOrThrow({ where: { id: contextId, brandId } })
    expect(stored.closedBy).toBe('idle')
  })
})

describe('§4.2 a conversation whose turn runs', () => {
  it('does not rest, however long the turn takes', async () => {
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const slow = { ...countingAgent({ pause: 300 }), idleTime: 100 }
    const running = takeTurn(owner, say('b', contextId), slow)
    await sleep(200)
    const next = takeTurn(owner, say('c', contextId), { ...countingAgent(), idleTime: 100 })
    expect((await running).kind).toBe('replied')
    expect(replyOf(await next).text).toBe('turn 3: c')
  })

  it('goes on at once when the process that runs it ends in order', async () => {
    const { contextId } = replyOf(await takeTurn(owner, say('a'), countingAgent()))
    const stuck = countingAgent({ pause: 1_000 })
    const message = say('b', contextId)
    const running = takeTurn(owner, message, stuck)
    await vi.waitFor(() => expect(stuck.seen).toHaveLength(1))
    await stopRunningTurns()
    expect(replyOf(await takeTurn(owner, say('c', contextId), countingAgent())).text).toBe('turn 2: c')
    expect((await running).kind).toBe('failed')
    expect(await takeTurn(owner, message, countingAgent())).toEqual({ kind: 'unanswered' })
  })
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
  it('are two for a turn, first or continued', async () => {
    const brand = countingAgent()
    let queries = 0
    const original = pool().query
    const counted = new Proxy(original, {
      apply(target, self, args) {
        queries++
        return Reflect.apply(target, self, args)
      },
    })
    pool().query = counted
    try {
      const { contextId } = replyOf(await takeTurn(owner, say('a'), brand))
      expect(queries).toBe(2)
      await takeTurn(owner, say('b', contextId), brand)
      expect(queries).toBe(4)
    } finally {
      pool().query = original
    }
  })
})
