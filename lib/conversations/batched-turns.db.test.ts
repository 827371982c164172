import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import type { Receipt } from '#lib/delegation/receipts.ts'
import { queryOf } from '#lib/platform/batched-statement.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { type Claim, claimFirstTurn, claimNextTurn, nextTurnStatement, type Turn } from './claim-turn.ts'
import type { Owner } from './conversation.ts'
import { settleTurn } from './settle-turn.ts'

const terms = { turnTime: 30_000, idleTime: 3_600_000, brandUserId: undefined }
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  for (const user of ['jane', 'tom']) {
    const expiresAt = new Date(Date.now() + 3_600_000)
    const grant = { ...owner, id: `grant-${user}`, brandUserId: user, scopes: ['read'], expiresAt }
    await prisma().grant.create({ data: grant })
  }
})

function answer(reply: string, close = false) {
  return { reply, state: { said: reply }, close, actions: [], scopesUsed: [] }
}

function begin(text = 'hello', who = owner): Promise<Turn> {
  return claimFirstTurn(who, { messageId: randomUUID(), contextId: undefined, text }, terms)
}

/** Conversations of one settled turn, the agent of which remembers their number. */
async function openConversations(count: number): Promise<string[]> {
  const turns = await Promise.all(Array.from({ length: count }, () => begin()))
  await Promise.all(turns.map((turn, n) => settleTurn(turn, answer(`reply ${n}`))))
  return turns.map(({ contextId }) => contextId)
}

function next(contextId: string, change: { messageId?: string; text?: string; who?: Owner } = {}) {
  const { messageId = randomUUID(), text = 'next', who = owner } = change
  return claimNextTurn(who, { messageId, contextId, text }, terms, true)
}

function turnOf(claim: Claim | undefined): Turn {
  if (claim?.kind !== 'claimed') throw new Error(`not claimed: ${claim?.kind}`)
  return claim.turn
}

describe('turns that are claimed and settled at the same moment', () => {
  it('share their statements, and each keeps its own message, memory and reply', async () => {
    const work = async () => {
      const contexts = await openConversations(8)
      const claims = await Promise.all(contexts.map((contextId, n) => next(contextId, { text: `text ${n}` })))
      const turns = claims.map(turnOf)
      const replies = await Promise.all(turns.map((turn, n) => settleTurn(turn, answer(`second ${n}`))))
      return { contexts, turns, replies }
    }
    const { result, statements } = await statementsOf(work)
    expect(statements.map(({ name }) => name)).toEqual([
      'begin-conversations',
      'settle-turns',
      'next-turns',
      'settle-turns',
    ])
    const { contexts, turns, replies } = result
    expect(turns.map(({ state }) => state)).toEqual(contexts.map((_, n) => ({ said: `reply ${n}` })))
    const stored = await prisma().message.findMany({
      where: { brandId: owner.brandId, conversationId: { in: contexts }, text: { not: 'hello' } },
    })
    const textOf = new Map(
      stored.map(({ conversationId, text, replyText, replyId }) => [
        conversationId,
        { text, replyText, replyId },
      ]),
    )
    expect(contexts.map((contextId) => textOf.get(contextId))).toEqual(
      contexts.map((_, n) => ({
        text: `text ${n}`,
        replyText: `second ${n}`,
        replyId: replies[n]?.replyId,
      })),
    )
  })

  it('each learn what stands in their own way', async () => {
    const [free, closed, running, bound, repeated] = (await openConversations(5)) as [
      string,
      string,
      string,
      string,
      string,
    ]
    await settleTurn(turnOf(await next(closed)), answer('bye', true))
    await next(running)
    await prisma().conversation.update({
      where: { id: bound, brandId: owner.brandId },
      data: { brandUserId: 'jane' },
    })
    const message = { messageId: randomUUID() }
    await settleTurn(turnOf(await next(repeated, message)), answer('once'))
    const asJohn = { ...terms, brandUserId: 'john' }
    const claims = await Promise.all([
      next(closed),
      next(running),
      claimNextTurn(owner, { messageId: 'm', contextId: bound, text: 'x' }, asJohn, true),
      next(repeated, message),
      next(free, { who: { ...owner, brandId: OTHER_BRAND_ID } }),
      next(free, { who: { ...owner, subject: 'another' } }),
      next(randomUUID()),
      next(free),
    ])
    expect(claims.map(({ kind }) => kind)).toEqual([
      'closed',
      'busy',
      'other-user',
      'replied',
      'unknown-context',
      'unknown-context',
      'unknown-context',
      'claimed',
    ])
  })

  it('are one for each conversation', async () => {
    const [contextId = ''] = await openConversations(1)
    const claims = await Promise.all([next(contextId), next(contextId), next(contextId)])
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'busy', 'claimed'])
    expect(
      await prisma().message.count({ where: { conversationId: contextId, brandId: owner.brandId } }),
    ).toBe(2)
  })

  it('are one for each message', async () => {
    const [contextId = ''] = await openConversations(1)
    const message = { messageId: randomUUID() }
    const claims = await Promise.all([next(contextId, message), next(contextId, message)])
    expect(claims.map(({ kind }) => kind).toSorted()).toEqual(['claimed', 'unanswered'])
  })

  it('do not fail with one that the database refuses', async () => {
    const contexts = await openConversations(3)
    const claims = await Promise.allSettled([
      ...contexts.map((contextId) => next(contextId)),
      next(contexts[0] ?? '', { text: '\0' }),
    ])
    expect(claims.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected'])
    const turns = claims
      .slice(0, 3)
      .map((claim) => turnOf(claim.status === 'fulfilled' ? claim.value : undefined))
    const settled = await Promise.allSettled(
      turns.map((turn, n) => settleTurn(turn, answer(n === 0 ? '\0' : 'fine'))),
    )
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    const begun = await Promise.allSettled([begin('a'), begin('\0'), begin('b')])
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  })

  it('do not settle with one that comes too late', async () => {
    const [left = '', kept = ''] = await openConversations(2)
    const brief = { ...terms, turnTime: 0 }
    const late = turnOf(
      await claimNextTurn(owner, { messageId: 'm', contextId: left, text: 'x' }, brief, true),
    )
    const [, turn] = (await Promise.all([next(left), next(kept)])).map(turnOf) as [Turn, Turn]
    const replies = await Promise.all([settleTurn(late, answer('late')), settleTurn(turn, answer('in time'))])
    expect(replies).toMatchObject([undefined, { text: 'in time' }])
  })

  it('wait for no conversation that is locked elsewhere: only its own turn does', async () => {
    const [locked = '', free = ''] = await openConversations(2)
    const elsewhere = await pool().connect()
    try {
      await elsewhere.query('BEGIN')
      await elsewhere.query('SELECT FROM "Conversation" WHERE "id" = $1 FOR UPDATE', [locked])
      const waiting = next(locked)
      const turn = turnOf(await next(free))
      expect(await settleTurn(turn, answer('meanwhile'))).toMatchObject({ text: 'meanwhile' })
      const order: string[] = []
      const claimed = waiting.then((claim) => order.push(claim.kind))
      order.push('unlocked')
      await elsewhere.query('COMMIT')
      await claimed
      expect(order).toEqual(['unlocked', 'claimed'])
    } finally {
      elsewhere.release()
    }
  })
})

describe('turns under delegation tokens that settle at the same moment', () => {
  function made(user: string) {
    const grantId = `grant-${user}`
    const claims = { grantId, user } as unknown as Receipt['claims']
    return { grantId, receipt: { jws: randomUUID(), claims } }
  }

  /** Who was handed which receipt, and which the database has for them. */
  async function compare(turns: Turn[], users: string[]) {
    const receipts = users.map(made)
    const settle = (turn: Turn, n: number) => settleTurn(turn, answer(users[n] ?? ''), receipts[n])
    const { result, statements } = await statementsOf(() => Promise.all(turns.map(settle)))
    const where = { brandId: owner.brandId, conversationId: { in: turns.map(({ contextId }) => contextId) } }
    const stored = await prisma().receipt.findMany({ where })
    const messages = await prisma().message.findMany({ where })
    const held = turns.map(({ contextId }) => ({
      receipt: stored.find(({ conversationId }) => conversationId === contextId)?.jws,
      message: messages.find(({ conversationId }) => conversationId === contextId)?.receipt,
    }))
    const expected = receipts.map(({ receipt: { jws } }) => ({ receipt: jws, message: { jws } }))
    return { result, statements, held, expected, stored }
  }

  it('share a statement, and each stores its own receipt under its own grant', async () => {
    const users = ['jane', 'tom', 'jane', 'tom', 'jane']
    const turns = await Promise.all(users.map(() => begin()))
    const { result, statements, held, expected, stored } = await compare(turns, users)
    expect(statements.map(({ name }) => name)).toEqual(['settle-delegated-turns'])
    expect(result.map((reply) => reply?.receipt?.jws)).toEqual(expected.map(({ receipt }) => receipt))
    expect(held).toEqual(expected)
    expect(stored.map(({ grantId }) => grantId).toSorted()).toEqual(
      users.map((user) => `grant-${user}`).toSorted(),
    )
    const grants = await prisma().grant.findMany({ where: { brandId: owner.brandId } })
    expect(grants.every(({ lastUsedAt }) => lastUsedAt !== null)).toBe(true)
  })

  it('wait for no grant that is locked elsewhere: only its own turns do', async () => {
    const users = ['jane', 'tom']
    const turns = await Promise.all(users.map(() => begin()))
    const elsewhere = await pool().connect()
    try {
      await elsewhere.query('BEGIN')
      await elsewhere.query(`SELECT FROM "Grant" WHERE "id" = 'grant-jane' FOR UPDATE`)
      const order: string[] = []
      const settled = turns.map(async (turn, n) => {
        const reply = await settleTurn(turn, answer('done'), made(users[n] ?? ''))
        order.push(`${users[n]} ${reply?.text}`)
      })
      await settled[1]
      order.push('unlocked')
      await elsewhere.query('COMMIT')
      await settled[0]
      expect(order).toEqual(['tom done', 'unlocked', 'jane done'])
    } finally {
      elsewhere.release()
    }
  })
})

describe('batches of two processes', () => {
  it('begin each turn once, in whatever order they take the conversations', async () => {
    const contexts = await openConversations(24)
    const ask = (contextId: string, messageId: string) => {
      const asked = {
        ...owner,
        ...terms,
        contextId,
        messageId,
        turnId: randomUUID(),
        text: 'x',
        mayBegin: true,
      }
      return asked
    }
    for (let round = 0; round < 20; round++) {
      const batches = [contexts, contexts.toReversed()].map((order) =>
        order.map((contextId) => ask(contextId, `${round}`)),
      )
      const results = await Promise.all(
        batches.map((items) => pool().query<{ n: string }>(queryOf(nextTurnStatement, items))),
      )
      const begun = results.flatMap(({ rows }, process) =>
        rows.map(({ n }) => batches[process]?.[Number(n) - 1]?.turnId),
      )
      const stored = await prisma().conversation.findMany({
        where: { id: { in: contexts }, brandId: owner.brandId, turnId: { not: null } },
      })
      expect(begun.toSorted()).toEqual(stored.map(({ turnId }) => turnId).toSorted())
      expect(begun).toHaveLength(contexts.length)
      expect(await prisma().message.count({ where: { brandId: owner.brandId, messageId: `${round}` } })).toBe(
        contexts.length,
      )
      await pool().query('UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL')
    }
  })
})
