import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import type { Agent } from '#lib/agents/agent.ts'
import type { Receipt, ReceiptClaims } from '#lib/delegation/receipts.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Delegation, Owner, StepUpTurn, TurnResult } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

const brandId = BRAND_ID
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  for (const user of ['jane', 'tom']) {
    const expiresAt = new Date(Date.now() + 3_600_000)
    await prisma().grant.create({
      data: { ...owner, id: `grant-${user}`, brandUserId: user, scopes: ['read'], expiresAt },
    })
  }
})

/** A receipt whose "signature" is the moment: no two are alike. */
function sealReceipt(claims: ReceiptClaims): Receipt {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url')
  return { jws: `h.${payload}.${randomUUID()}`, claims }
}

function as(brandUserId: string, ...scopes: string[]): Delegation {
  const grantId = `grant-${brandUserId}`
  const held = new Set(scopes)
  return {
    grantId,
    access: { brandUserId, scopes: held, token: 'a.b.c', scopesNow: async () => held },
    buildClaims: (done) => ({ ts: 't', grantId, user: brandUserId, pa: 'p', brand: 'b', ...done }),
    signReceipt: async (claims) => sealReceipt(claims),
  }
}

/** Needs the scope `read`; counts what it ran, and says as whom. `pause` in milliseconds. */
function guardedAgent(pause = 0) {
  const ran: string[] = []
  const agent: Agent = {
    timeLimit: 3_000,
    async run({ text, state, access, signal }) {
      if (pause) await sleep(pause, undefined, { signal })
      if (text === 'public') {
        return { reply: 'Open to all.', state, close: false, actions: [], scopesUsed: [] }
      }
      if (!access?.scopes.has('read')) return { missingScopes: ['read'], text: 'May I?' }
      ran.push(text)
      const actions = [{ tool: 'list' }]
      return { reply: `Hello ${access.brandUserId}.`, state, close: false, actions, scopesUsed: ['read'] }
    },
  }
  return { agent, ran, idleTime: 3_600_000 }
}

function stepUpOf(result: TurnResult): StepUpTurn {
  if (result.kind !== 'step-up') throw new Error(`not a step-up: ${result.kind}`)
  return result.turn
}

const receiptsOf = (conversationId: string) =>
  prisma().receipt.findMany({ where: { brandId, conversationId }, orderBy: { id: 'asc' } })

describe('§5.5 a context and the Brand user as whom it runs', () => {
  it('is bound by its first turn under a token, and refuses another user’s', async () => {
    const brand = guardedAgent()
    const { contextId, text } = replyOf(await takeTurn(owner, say('a'), brand, as('jane', 'read')))
    expect(text).toBe('Hello jane.')
    expect(await takeTurn(owner, say('b', contextId), brand, as('tom', 'read'))).toEqual({
      kind: 'other-user',
    })
    expect(replyOf(await takeTurn(owner, say('c', contextId), brand, as('jane', 'read'))).text).toBe(
      'Hello jane.',
    )
    expect(brand.ran).toEqual(['a', 'c'])
  })

  it('may begin under §3, go on under delegation, and back; the binding stays', async () => {
    const brand = guardedAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('public'), brand))
    expect((await takeTurn(owner, say('a', contextId), brand, as('jane', 'read'))).kind).toBe('replied')
    const back = replyOf(await takeTurn(owner, say('public', contextId), brand))
    expect(back).toMatchObject({ text: 'Open to all.', receipt: undefined })
    expect(stepUpOf(await takeTurn(owner, say('b', contextId), brand)).missingScopes).toEqual(['read'])
    expect(await takeTurn(owner, say('c', contextId), brand, as('tom', 'read'))).toEqual({
      kind: 'other-user',
    })
  })

  it('does not give another user the stored reply, nor that the context is closed', async () => {
    const brand = guardedAgent()
    const message = say('a')
    const { contextId } = replyOf(await takeTurn(owner, message, brand, as('jane', 'read')))
    const again = { ...message, contextId }
    expect(await takeTurn(owner, again, brand, as('tom', 'read'))).toEqual({ kind: 'other-user' })
    await prisma().conversation.update({ where: { id: contextId, brandId }, data: { state: 'closed' } })
    expect(await takeTurn(owner, say('b', contextId), brand, as('tom'))).toEqual({ kind: 'other-user' })
    expect((await takeTurn(owner, say('b', contextId), brand, as('jane'))).kind).toBe('closed')
  })

  it('belongs to one of two users who come at the same moment', async () => {
    for (let round = 0; round < 10; round++) {
      const brand = guardedAgent(5)
      const { contextId } = replyOf(await takeTurn(owner, say('public'), brand))
      const results = await Promise.all(
        ['jane', 'tom', 'jane', 'tom'].map((user) =>
          takeTurn(owner, say('a', contextId), brand, as(user, 'read')),
        ),
      )
      const kinds = results.map(({ kind }) => kind).sort()
      expect(kinds).toEqual(['other-user', 'other-user', 'replied', 'replied'])
    }
  })
})

describe('§5.6 receipts', () => {
  it('are stored with the turn; a repeated message gets the same one', async () => {
    const brand = guardedAgent()
    const message = say('a')
    const first = replyOf(await takeTurn(owner, message, brand, as('jane', 'read')))
    const again = { ...message, contextId: first.contextId }
    expect(first.receipt?.claims).toMatchObject({ actions: [{ tool: 'list' }], scopesUsed: ['read'] })
    expect(replyOf(await takeTurn(owner, again, brand, as('jane', 'read')))).toEqual(first)
    expect(replyOf(await takeTurn(owner, again, brand))).toEqual(first)
    expect(JSON.stringify(replyOf(await takeTurn(owner, again, brand)).receipt)).toBe(
      JSON.stringify(first.receipt),
    )
    expect(await receiptsOf(first.contextId)).toMatchObject([
      { grantId: 'grant-jane', messageId: message.messageId, ...first.receipt },
    ])
  })

  it('are on replies that used no scope too, and on none under §3', async () => {
    const brand = guardedAgent()
    const { contextId, receipt } = replyOf(await takeTurn(owner, say('public'), brand, as('jane', 'read')))
    expect(receipt?.claims).toMatchObject({ actions: [], scopesUsed: [] })
    expect(replyOf(await takeTurn(owner, say('public', contextId), brand)).receipt).toBeUndefined()
    expect(await receiptsOf(contextId)).toHaveLength(1)
  })

  it('a reply made under §3 gets one when it is repeated under a token, and later the same one', async () => {
    const brand = guardedAgent()
    const message = say('public')
    const { contextId, text } = replyOf(await takeTurn(owner, message, brand))
    const again = { ...message, contextId }
    const replies = await Promise.all(
      Array.from({ length: 4 }, () => takeTurn(owner, again, brand, as('jane', 'read'))),
    )
    const [first] = replies.map(replyOf)
    expect(first).toMatchObject({ text, receipt: { claims: { user: 'jane', actions: [], scopesUsed: [] } } })
    for (const result of replies) expect(replyOf(result)).toEqual(first)
    expect(replyOf(await takeTurn(owner, again, brand, as('jane')))).toEqual(first)
    expect(replyOf(await takeTurn(owner, again, brand))).toEqual(first)
    expect(await receiptsOf(contextId)).toMatchObject([{ grantId: 'grant-jane', ...first?.receipt }])
  })

  it('such a repetition binds the context as a turn does', async () => {
    const brand = guardedAgent()
    const message = say('public')
    const { contextId } = replyOf(await takeTurn(owner, message, brand))
    const again = { ...message, contextId }
    const users = ['jane', 'tom', 'jane', 'tom']
    const results = await Promise.all(users.map((user) => takeTurn(owner, again, brand, as(user, 'read'))))
    expect(results.map(({ kind }) => kind).sort()).toEqual(['other-user', 'other-user', 'replied', 'replied'])
    expect(await receiptsOf(contextId)).toHaveLength(1)
  })

  it('say when the grant was last used', async () => {
    await prisma().grant.update({ where: { id: 'grant-tom', brandId }, data: { lastUsedAt: null } })
    const before = Date.now()
    await takeTurn(owner, say('a'), guardedAgent(), as('tom', 'read'))
    const { lastUsedAt } = await prisma().grant.findUniqueOrThrow({ where: { id: 'grant-tom', brandId } })
    expect(Math.abs((lastUsedAt?.getTime() ?? 0) - before)).toBeLessThan(2_000)
  })

  it('are stored in the same statement or not at all', async () => {
    const brand = guardedAgent()
    const { contextId } = replyOf(await takeTurn(owner, say('public'), brand))
    const gone = { ...as('jane', 'read'), grantId: 'no-such-grant' }
    const message = say('a', contextId)
    expect((await takeTurn(owner, message, brand, gone)).kind).toBe('failed')
    expect(await receiptsOf(contextId)).toEqual([])
    expect(await takeTurn(owner, message, brand, as('jane', 'read'))).toEqual({ kind: 'unanswered' })
  })
})

describe('§5.5 a step-up turn', () => {
  it('leaves the conversation open and its message unsent: the same message runs with the new token', async () => {
    const brand = guardedAgent()
    const message = say('a')
    const { contextId, missingScopes, text, receipt } = stepUpOf(await takeTurn(owner, message, brand))
    expect({ missingScopes, text, receipt }).toEqual({
      missingScopes: ['read'],
      text: 'May I?',
      receipt: undefined,
    })
    expect(await prisma().message.count({ where: { conversationId: contextId, brandId } })).toBe(0)
    const again = { ...message, contextId }
    expect(stepUpOf(await takeTurn(owner, again, brand, as('jane', 'other'))).receipt?.claims).toMatchObject({
      actions: [],
      scopesUsed: [],
    })
    const reply = replyOf(await takeTurn(owner, again, brand, as('jane', 'read')))
    expect(reply).toMatchObject({ contextId, text: 'Hello jane.' })
    expect(await takeTurn(owner, again, brand, as('jane', 'read'))).toEqual({ kind: 'replied', reply })
    expect(brand.ran).toEqual(['a'])
    expect((await receiptsOf(contextId)).map(({ messageId }) => messageId)).toEqual([
      message.messageId,
      message.messageId,
    ])
  })

  it('is refused while it runs, like any repeated message, and then runs once however many resend it', async () => {
    const brand = guardedAgent(30)
    const { contextId } = replyOf(await takeTurn(owner, say('public'), brand))
    for (let round = 0; round < 5; round++) {
      const message = say(`round ${round}`, contextId)
      const under3 = await Promise.all(Array.from({ length: 4 }, () => takeTurn(owner, message, brand)))
      expect(under3.some(({ kind }) => kind === 'step-up')).toBe(true)
      const sent = await Promise.all(
        Array.from({ length: 4 }, () => takeTurn(owner, message, brand, as('jane', 'read'))),
      )
      expect(sent.every(({ kind }) => kind === 'replied' || kind === 'unanswered')).toBe(true)
    }
    expect(brand.ran).toEqual(['round 0', 'round 1', 'round 2', 'round 3', 'round 4'])
  })

  it('keeps what the agent remembered, and lets the next turn begin', async () => {
    const brand = guardedAgent()
    const { contextId } = stepUpOf(await takeTurn(owner, say('a'), brand))
    const stored = await prisma().conversation.findUniqueOrThrow({ where: { id: contextId, brandId } })
    expect(stored).toMatchObject({ state: 'open', turnId: null, turnUntil: null, agentState: {} })
    expect(replyOf(await takeTurn(owner, say('public', contextId), brand)).text).toBe('Open to all.')
  })
})

it('a turn under a token is two statements as well', async () => {
  const first = await statementsOf(() => takeTurn(owner, say('a'), guardedAgent(), as('jane', 'read')))
  expect(first.statements).toHaveLength(2)
  const { contextId } = replyOf(first.result)
  const second = await statementsOf(() => takeTurn(owner, say('b', contextId), guardedAgent(), as('jane')))
  expect(second.statements).toHaveLength(2)
})
