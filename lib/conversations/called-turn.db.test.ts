import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { replyOf } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { playDelegation, storePlayedGrant } from '#e2e/harness/played-delegation.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import type { Agent, SentCall, Turn } from '#lib/agents/agent.ts'
import { BROKEN_OFF_TEXT } from '#lib/agents/fixed-texts.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import type { Delegation, Owner, TurnResult } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

// A turn that has called a Brand's API leaves a reply and a receipt, whatever comes in between: a message without an
// answer is asked again, under another messageId, and does it twice.

const brandId = BRAND_ID
const IDLE = 3_600_000
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  await storePlayedGrant(owner, 'cancel')
})

const delegation = playDelegation('cancel')

const call: SentCall = { action: { tool: 'cancel', argsHash: 'x' }, scopes: ['cancel'], changes: true }
const told = { actions: [call.action], scopesUsed: ['cancel'] }

/** Calls, and then does what `rest` does. */
function callingAgent(rest: (turn: Turn) => Promise<string>, timeLimit = 2_000) {
  const ran: string[] = []
  const agent: Agent = {
    timeLimit,
    async run(turn) {
      ran.push(turn.text)
      turn.sent.add(call)
      return { reply: await rest(turn), state: { done: true }, close: false, ...told }
    },
  }
  return { agent, ran, idleTime: IDLE }
}

const plain: Agent = {
  timeLimit: 1_000,
  run: async ({ state }) => ({ reply: 'Hello.', state, close: false, actions: [], scopesUsed: [] }),
}

/** Calls, waits for `rest`, and then needs another scope. */
function steppingUpAgent(rest: () => Promise<unknown>): { agent: Agent; idleTime: number } {
  const agent: Agent = {
    timeLimit: 2_000,
    async run(turn) {
      turn.sent.add(call)
      await rest()
      return { missingScopes: ['refund'], text: 'May I?', ...told }
    },
  }
  return { agent, idleTime: IDLE }
}

async function begin() {
  const first = { text: 'hello', contextId: undefined, messageId: randomUUID() }
  const { contextId } = replyOf(await takeTurn(owner, first, { agent: plain, idleTime: IDLE }))
  return { text: 'cancel', contextId, messageId: randomUUID() }
}

/** Lets the conversation go on without the turn that it waits for. */
const giveUp = (contextId: string) =>
  pool().query('UPDATE "Conversation" SET "turnId" = NULL, "turnUntil" = NULL WHERE "id" = $1', [contextId])

/** The turn's answer, which a retry gets again, and its one receipt; the agent ran once. */
async function expectAnswered(
  message: Awaited<ReturnType<typeof begin>>,
  brand: ReturnType<typeof callingAgent>,
  result: TurnResult,
  text: string,
) {
  const reply = replyOf(result)
  expect(reply).toMatchObject({ text, receipt: { claims: told } })
  expect(replyOf(await takeTurn(owner, message, brand, delegation))).toEqual(reply)
  expect(brand.ran).toEqual(['cancel'])
  const receipts = await prisma().receipt.findMany({ where: { brandId, conversationId: message.contextId } })
  expect(receipts).toMatchObject([{ messageId: message.messageId, ...reply.receipt }])
}

it.each([
  ['its agent fails', () => Promise.reject(new Error('broken')), 'AgentFailedError'],
  ['its agent hangs', () => new Promise<string>(() => {}), 'AgentTimeoutError'],
  ['its reply is unusable', async () => ' ', 'AgentFailedError'],
])('is answered when %s, and the next turn begins at once', async (_, rest, fault) => {
  const message = await begin()
  const brand = callingAgent(rest, 200)
  const result = await takeTurn(owner, message, brand, delegation)
  expect(result).toMatchObject({ fault: { name: fault } })
  await expectAnswered(message, brand, result, BROKEN_OFF_TEXT)
  const next = { ...message, messageId: randomUUID() }
  const before = performance.now()
  expect(replyOf(await takeTurn(owner, next, { agent: plain, idleTime: IDLE })).text).toBe('Hello.')
  expect(performance.now() - before).toBeLessThan(1_000)
})

it('is answered when the conversation went on without it, and changes nothing of that', async () => {
  const message = await begin()
  const brand = callingAgent(async () => {
    await sleep(400)
    return 'Cancelled.'
  })
  const running = takeTurn(owner, message, brand, delegation)
  await sleep(100)
  await giveUp(message.contextId)
  const next = { ...message, messageId: randomUUID() }
  expect((await takeTurn(owner, next, { agent: plain, idleTime: IDLE })).kind).toBe('replied')
  await expectAnswered(message, brand, await running, 'Cancelled.')
  const where = { id: message.contextId, brandId }
  expect(await prisma().conversation.findUniqueOrThrow({ where })).toMatchObject({
    state: 'open',
    turnId: null,
    agentState: {},
  })
})

it('is answered when the database fails once as it settles', async () => {
  const message = await begin()
  const original = pool().query
  let failures = 0
  const brand = callingAgent(async () => {
    pool().query = new Proxy(original, {
      apply() {
        pool().query = original
        failures++
        return Promise.reject(new Error('gone'))
      },
    })
    return 'Cancelled.'
  })
  const result = await takeTurn(owner, message, brand, delegation)
  expect(failures).toBe(1)
  await expectAnswered(message, brand, result, 'Cancelled.')
  const where = { id: message.contextId, brandId }
  expect((await prisma().conversation.findUniqueOrThrow({ where })).turnId).toBeNull()
})

it('under §3 is answered too, without a receipt', async () => {
  const message = await begin()
  const brand = callingAgent(() => Promise.reject(new Error('broken')))
  const reply = replyOf(await takeTurn(owner, message, brand))
  expect(reply).toMatchObject({ text: BROKEN_OFF_TEXT, receipt: undefined })
  expect(replyOf(await takeTurn(owner, message, brand))).toEqual(reply)
})

it('a step-up tells in its receipt what was done before it, and its message may be sent again', async () => {
  const message = await begin()
  const stepUp = await takeTurn(
    owner,
    message,
    steppingUpAgent(async () => {}),
    delegation,
  )
  expect(stepUp).toMatchObject({
    kind: 'step-up',
    turn: { missingScopes: ['refund'], receipt: { claims: told } },
  })
  const where = { conversationId: message.contextId, brandId }
  expect(await prisma().receipt.count({ where })).toBe(1)
  expect(await prisma().message.count({ where: { ...where, messageId: message.messageId } })).toBe(0)
})

it('a step-up that comes too late is the reply to its message, with what was done', async () => {
  const message = await begin()
  const tooLate = steppingUpAgent(() => giveUp(message.contextId))
  const reply = replyOf(await takeTurn(owner, message, tooLate, delegation))
  expect(reply).toMatchObject({ text: 'May I?', receipt: { claims: told } })
  const stored = replyOf(await takeTurn(owner, message, tooLate, delegation))
  expect(stored).toEqual(reply)
})

/** Nobody signs what was done. */
const unsigned: Delegation = { ...delegation, signReceipt: () => Promise.reject(new Error('no key')) }

describe('a turn whose receipt can’t be signed', () => {
  it('has failed for now, is over, and its message gets the reply and the receipt later', async () => {
    const message = await begin()
    const brand = callingAgent(async () => 'Cancelled.')
    expect((await takeTurn(owner, message, brand, unsigned)).kind).toBe('failed')
    const where = { id: message.contextId, brandId }
    expect(await prisma().conversation.findUniqueOrThrow({ where })).toMatchObject({
      turnId: null,
      agentState: { done: true },
    })
    await expectAnswered(message, brand, await takeTurn(owner, message, brand), 'Cancelled.')
  })

  it('the same when the conversation went on without it', async () => {
    const message = await begin()
    const brand = callingAgent(async () => {
      await pool().query('UPDATE "Conversation" SET "turnId" = NULL WHERE "id" = $1', [message.contextId])
      return 'Cancelled.'
    })
    expect((await takeTurn(owner, message, brand, unsigned)).kind).toBe('failed')
    await expectAnswered(message, brand, await takeTurn(owner, message, brand, delegation), 'Cancelled.')
    const where = { id: message.contextId, brandId }
    expect((await prisma().conversation.findUniqueOrThrow({ where })).agentState).toEqual({})
  })

  it('a step-up after calls becomes the reply to its message', async () => {
    const message = await begin()
    const brand = steppingUpAgent(async () => {})
    expect((await takeTurn(owner, message, brand, unsigned)).kind).toBe('failed')
    const reply = replyOf(await takeTurn(owner, message, brand, delegation))
    expect(reply).toMatchObject({ text: 'May I?', receipt: { claims: told } })
  })

  it('a step-up in which nothing was done leaves its message to be sent again', async () => {
    const message = await begin()
    const run: Agent['run'] = async () => ({ missingScopes: ['refund'], text: 'May I?' })
    const brand = { agent: { timeLimit: 1_000, run }, idleTime: IDLE }
    expect((await takeTurn(owner, message, brand, unsigned)).kind).toBe('failed')
    expect((await takeTurn(owner, message, brand, delegation)).kind).toBe('step-up')
  })
})
