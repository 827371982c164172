import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { HOUR, replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import { buildAgent } from '#lib/agents/build-agent.ts'
import { scriptedAgentSchema } from '#lib/agents/scripted-schema.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { answerNextAtOnce } from './answer-at-once.ts'
import { claimNextTurn } from './claim-turn.ts'
import type { IncomingMessage, Owner, TurnResult } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

/** Says how many turns came before, and how often in all it was asked for an answer. */
function countingScript(rules: unknown[] = []) {
  const settings = scriptedAgentSchema.parse({
    driver: 'scripted',
    rules: [
      ...rules,
      { when: {}, set: { turns: '{{ turns }}|' }, reply: 'after {{ turns | size }}: {{ text }}' },
    ],
    fallback: 'Fallback.',
  })
  const agent = buildAgent(settings, [])
  return { agent, idleTime: HOUR }
}

const brand = countingScript([
  { when: { words: ['bye'] }, close: true, reply: 'Bye.' },
  { when: { words: ['endless'] }, reply: '{% for i in (1..1000000000) %}x{% endfor %}' },
  { when: { words: ['slow'] }, delaySeconds: 0.05, reply: 'At last.' },
])

let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

const talk = (text: string, contextId?: string, messageId?: string) =>
  takeTurn(owner, say(text, contextId, messageId), brand)
const textOf = (result: TurnResult) => replyOf(result).text

/** A conversation of one turn, which this process has answered. */
async function begin(): Promise<string> {
  return replyOf(await talk('first')).contextId
}

async function namesOf(work: () => Promise<TurnResult>) {
  const { result, statements } = await statementsOf(work)
  return { result, names: statements.map(({ name }) => name) }
}

/** As another process would have stored it. */
async function rememberElsewhere(contextId: string, turns: string): Promise<void> {
  await prisma().conversation.update({
    where: { id: contextId, brandId: owner.brandId },
    data: { agentState: { turns } },
  })
}

const storedOf = (contextId: string) =>
  prisma().conversation.findUniqueOrThrow({
    where: { id: contextId, brandId: owner.brandId },
    include: { messages: { orderBy: { id: 'asc' } } },
  })

describe('a turn that the agent answers at once', () => {
  it('is one statement, first or continued, and is stored like any other', async () => {
    const first = await namesOf(() => talk('hello'))
    expect(first.names).toEqual(['begin-answered-conversations'])
    const { contextId, replyId } = replyOf(first.result)
    expect(first.result).toMatchObject({
      kind: 'replied',
      reply: { text: 'after 0: hello', receipt: undefined },
    })
    const second = await namesOf(() => talk('again', contextId))
    expect(second.names).toEqual(['answer-next-turns'])
    expect(textOf(second.result)).toBe('after 1: again')

    const { messages, ...conversation } = await storedOf(contextId)
    expect(conversation).toMatchObject({
      ...owner,
      ...{ state: 'open', closedBy: null, closedAt: null, turnId: null, turnUntil: null, brandUserId: null },
      agentState: { turns: '||' },
    })
    expect(messages).toMatchObject([
      { text: 'hello', replyId, replyText: 'after 0: hello', receipt: null, failure: null },
      { text: 'again', replyText: 'after 1: again' },
    ])
    for (const { receivedAt, repliedAt } of messages) {
      const took = (repliedAt?.getTime() ?? 0) - receivedAt.getTime()
      expect(took).toBeGreaterThanOrEqual(0)
      expect(took).toBeLessThan(1_000)
    }
    expect(conversation.lastActiveAt.getTime()).toBeGreaterThanOrEqual(conversation.createdAt.getTime())
  })

  it('shares its statement with others of the same moment', async () => {
    const contexts = await Promise.all(Array.from({ length: 8 }, begin))
    const { result, statements } = await statementsOf(() =>
      Promise.all(contexts.map((contextId, n) => talk(`text ${n}`, contextId))),
    )
    expect(statements.map(({ name }) => name)).toEqual(['answer-next-turns'])
    expect(result.map(textOf)).toEqual(contexts.map((_, n) => `after 1: text ${n}`))
  })

  it('ends the conversation where the rule says so', async () => {
    const { contextId } = replyOf(await talk('bye'))
    expect(await storedOf(contextId)).toMatchObject({ state: 'closed', closedBy: 'agent' })
    expect((await storedOf(contextId)).closedAt).not.toBeNull()
    const later = await begin()
    expect(textOf(await talk('bye', later))).toBe('Bye.')
    expect(await storedOf(later)).toMatchObject({ state: 'closed', closedBy: 'agent' })
    expect((await talk('hello?', later)).kind).toBe('closed')
    expect((await storedOf(later)).messages).toHaveLength(2)
  })

  it('keeps what stood in the way of a better reply for the console', async () => {
    for (const contextId of [undefined, await begin()]) {
      const result = await talk('endless', contextId)
      expect(result).toMatchObject({
        kind: 'replied',
        reply: { text: 'Fallback.' },
        fault: expect.any(Error),
      })
      const { messages } = await storedOf(replyOf(result).contextId)
      expect(messages.at(-1)).toMatchObject({ replyText: 'Fallback.', failure: 'failed' })
    }
  })

  it('is run instead where its rule takes time', async () => {
    const { result, names } = await namesOf(() => talk('slow'))
    expect(textOf(result)).toBe('At last.')
    expect(names).toEqual(['begin-conversations', 'settle-turns'])
    const { contextId } = replyOf(result)
    // What the run stored is remembered, too.
    expect((await namesOf(() => talk('next', contextId))).names).toEqual(['answer-next-turns'])
  })
})

describe('§4.3: a message that was sent before', () => {
  it('gets its reply again, and no other is stored', async () => {
    const contextId = await begin()
    const messageId = randomUUID()
    const sent = replyOf(await talk('once', contextId, messageId))
    expect(replyOf(await talk('once', contextId, messageId))).toEqual(sent)
    expect((await storedOf(contextId)).messages).toHaveLength(2)
  })

  it('also where both are sent at the same moment, to one process or two', async () => {
    const contextId = await begin()
    const messageId = randomUUID()
    const next = { messageId, contextId, text: 'once' }
    const terms = { turnTime: 30_000, idleTime: HOUR, brandUserId: undefined }
    const results = await Promise.all([
      talk('once', contextId, messageId),
      answerNextAtOnce(owner, next, brand),
      talk('once', contextId, messageId),
      claimNextTurn(owner, next, terms, false),
    ])
    const replies = results.flatMap((result) => (result?.kind === 'replied' ? [result.reply.replyId] : []))
    expect(new Set(replies).size).toBe(1)
    expect((await storedOf(contextId)).messages).toHaveLength(2)
  })
})

describe('what this process remembers is no longer so', () => {
  it('where another has answered: the turn runs with what that stored', async () => {
    const contextId = await begin()
    await rememberElsewhere(contextId, '|||||')
    const { result, names } = await namesOf(() => talk('next', contextId))
    expect(textOf(result)).toBe('after 5: next')
    expect(names).toEqual(['answer-next-turns', 'next-turns', 'settle-turns'])
    expect((await namesOf(() => talk('next', contextId))).names).toEqual(['answer-next-turns'])
  })

  it('where it has never known: the turn runs', async () => {
    const { id: contextId } = await prisma().conversation.create({
      data: { ...owner, id: randomUUID(), agentState: { turns: '|' } },
    })
    const { result, names } = await namesOf(() => talk('next', contextId))
    expect(textOf(result)).toBe('after 1: next')
    expect(names).toEqual(['next-turns', 'settle-turns'])
  })

  it('of turns that two processes answer at the same moment each builds on the other', async () => {
    const contextId = await begin()
    // Past the line, in which the turns of one process wait for each other.
    const next = (text: string) =>
      answerNextAtOnce(owner, { messageId: randomUUID(), contextId, text }, brand)
    const results = await Promise.all(Array.from({ length: 8 }, (_, n) => next(`text ${n}`)))
    const texts = results.flatMap((result) => (result ? [textOf(result)] : []))
    const { messages, agentState } = await storedOf(contextId)
    expect(messages.slice(1).map(({ replyText }) => replyText)).toEqual(texts)
    expect(texts).toHaveLength(1)
    expect(agentState).toEqual({ turns: '||' })
  })
})

describe('nothing is answered at once', () => {
  const next = (contextId: string): IncomingMessage & { contextId: string } => ({
    ...{ messageId: randomUUID(), contextId, text: 'next' },
  })
  const change = (contextId: string, set: string) =>
    pool().query(`UPDATE "Conversation" SET ${set} WHERE "id" = $1`, [contextId])

  it.each([
    ['while another turn runs', `"turnId" = gen_random_uuid(), "turnUntil" = now() + interval '1 minute'`],
    ['once it is closed', `"state" = 'closed'`],
    ['once it has rested too long', `"lastActiveAt" = now() - interval '2 hours'`],
  ])('%s', async (_when, set) => {
    const contextId = await begin()
    await change(contextId, set)
    expect(await answerNextAtOnce(owner, next(contextId), brand)).toBeUndefined()
    expect((await storedOf(contextId)).messages).toHaveLength(1)
  })

  it('but where a crash has left a turn running whose time is over, it is', async () => {
    const contextId = await begin()
    await change(contextId, `"turnId" = gen_random_uuid(), "turnUntil" = now() - interval '1 second'`)
    expect(await answerNextAtOnce(owner, next(contextId), brand)).toMatchObject({ kind: 'replied' })
    expect(await storedOf(contextId)).toMatchObject({ turnId: null, turnUntil: null })
  })

  it('for somebody else, or under another Brand: the context is unknown (§4.2)', async () => {
    const contextId = await begin()
    const others = [
      { ...owner, subject: 'user-2' },
      { ...owner, brandId: OTHER_BRAND_ID },
      { ...owner, personalAgentId: randomUUID() },
    ]
    for (const other of others) {
      expect(await answerNextAtOnce(other, next(contextId), brand)).toBeUndefined()
      expect(await takeTurn(other, next(contextId), brand)).toEqual({ kind: 'unknown-context' })
    }
    expect((await storedOf(contextId)).messages).toHaveLength(1)
  })
})
