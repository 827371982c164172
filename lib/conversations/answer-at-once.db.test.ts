import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { HOUR, replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { statementsOf } from '#e2e/harness/statements-of.ts'
import type { Agent } from '#lib/agents/agent.ts'
import { buildAgent } from '#lib/agents/build-agent.ts'
import { scriptedAgentSchema } from '#lib/agents/scripted-schema.ts'
import { queryOf } from '#lib/platform/batched-statement.ts'
import { config } from '#lib/platform/config.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { answerNextAtOnce, answerNextStatement } from './answer-at-once.ts'
import type { Owner, TurnResult } from './conversation.ts'
import { takeTurn } from './take-turn.ts'

/** Says how many turns came before. */
const settings = scriptedAgentSchema.parse({
  driver: 'scripted',
  rules: [
    { when: { words: ['bye'] }, close: true, reply: 'Bye.' },
    { when: { words: ['endless'] }, reply: '{% for i in (1..1000000000) %}x{% endfor %}' },
    { when: { words: ['slow'] }, delaySeconds: 0.3, reply: 'At last.' },
    { when: {}, set: { turns: '{{ turns }}|' }, reply: 'after {{ turns | size }}: {{ text }}' },
  ],
  fallback: 'Fallback.',
})
const agent = buildAgent(settings, [])
const brand = { agent, idleTime: HOUR }
const terms = { turnTime: 30_000, idleTime: HOUR, brandUserId: undefined }

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

/** Past the line of this process, at once or not at all. */
const answerAtOnce = (contextId: string, who = owner) =>
  answerNextAtOnce(who, { messageId: randomUUID(), contextId, text: 'next' }, agent, terms)

const change = (contextId: string, set: string) =>
  pool().query(`UPDATE "Conversation" SET ${set} WHERE "id" = $1`, [contextId])

async function withClient<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: config().databaseUrl })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** As another process asks that remembers the first turn. */
async function answerElsewhere(client: pg.Client, contextId: string) {
  const ids = { contextId, messageId: randomUUID(), turnId: randomUUID() }
  const answer = { text: 'next', took: 1, reply: 'after 1: next', state: '{"turns":"||"}', close: false }
  const item = { ...owner, ...ids, ...answer, ...terms, remembered: '{"turns":"|"}' }
  const { rows } = await client.query<{ fits: boolean; agentState: unknown }>(
    queryOf(answerNextStatement, [item]),
  )
  return rows
}

/** Statements that wait for another transaction. */
async function countWaiting(): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
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
    // Nothing is remembered of it: it costs as little as before.
    const late = await namesOf(() => talk('hello?', later))
    expect([late.result.kind, late.names]).toEqual(['closed', ['next-turns', 'continue-conversation']])
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

  it.each([
    ['alone', 0],
    ['with others, which are answered all the same', 2],
  ])('also where the other one is stored at the same moment: %s', async (_with, count) => {
    const contextId = await begin()
    const others = await Promise.all(Array.from({ length: count }, begin))
    const messageId = randomUUID()
    await withClient(async (client) => {
      await client.query('BEGIN')
      await client.query(
        `INSERT INTO "Message" ("brandId", "conversationId", "messageId", "text", "replyId", "replyText", "repliedAt")
        VALUES ($1, $2, $3, 'once', gen_random_uuid(), 'from elsewhere', now())`,
        [owner.brandId, contextId, messageId],
      )
      const all = Promise.all([
        talk('once', contextId, messageId),
        ...others.map((other) => talk('next', other)),
      ])
      // Its snapshot does not show the other message, and the unique index waits for what becomes of it.
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1))
      await client.query('COMMIT')
      expect((await all).map(textOf)).toEqual(['from elsewhere', ...others.map(() => 'after 1: next')])
    })
    expect((await storedOf(contextId)).messages).toHaveLength(2)
  })
})

describe('what this process remembers is no longer so', () => {
  it('where another has answered: the turn runs with what that stored', async () => {
    const contextId = await begin()
    await rememberElsewhere(contextId, '|||||')
    const { result, names } = await namesOf(() => talk('next', contextId))
    expect(textOf(result)).toBe('after 5: next')
    // The statement that finds it out claims the turn.
    expect(names).toEqual(['answer-next-turns', 'settle-turns'])
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

  it('of turns that several processes answer at the same moment each builds on the other, or claims, or waits', async () => {
    const contextId = await begin()
    const clients = Array.from({ length: 6 }, () =>
      withClient((client) => answerElsewhere(client, contextId)),
    )
    const rows = (await Promise.all(clients)).flat()
    const answered = rows.filter(({ fits }) => fits)
    const claimed = rows.filter(({ fits }) => !fits)
    expect(answered).toHaveLength(1)
    expect(claimed.length).toBeLessThanOrEqual(1)
    for (const { agentState } of claimed) expect(agentState).toEqual({ turns: '||' })
    const { messages, agentState, turnId } = await storedOf(contextId)
    expect(messages).toHaveLength(1 + rows.length)
    expect(messages.filter(({ replyText }) => replyText === null)).toHaveLength(claimed.length)
    expect(agentState).toEqual({ turns: '||' })
    expect(turnId === null).toBe(claimed.length === 0)
  })

  it('a message of one batch gets the turn, where several are for one conversation', async () => {
    const contextId = await begin()
    // Past the line, in which the turns of one process wait for each other.
    const results = await Promise.all(Array.from({ length: 8 }, () => answerAtOnce(contextId)))
    expect(results.filter((result) => result !== undefined)).toHaveLength(1)
    expect((await storedOf(contextId)).messages).toHaveLength(2)
  })
})

describe('the rules of a message that waits', () => {
  it('are not run again at every look', async () => {
    const contextId = await begin()
    const slow = talk('slow', contextId)
    await vi.waitFor(async () => expect((await storedOf(contextId)).turnId).not.toBeNull())
    let asked = 0
    const counting: Agent = {
      ...agent,
      answerAtOnce(said) {
        asked += 1
        return agent.answerAtOnce?.(said)
      },
    }
    const waiting = takeTurn(owner, say('next', contextId), { agent: counting, idleTime: HOUR })
    await slow
    expect(textOf(await waiting)).toBe('after 1: next')
    expect(asked).toBeLessThanOrEqual(1)
  })
})

describe('an answer at once', () => {
  it.each([
    ['while another turn runs', `"turnId" = gen_random_uuid(), "turnUntil" = now() + interval '1 minute'`],
    ['once it is closed', `"state" = 'closed'`],
    ['once it has rested too long', `"lastActiveAt" = now() - interval '2 hours'`],
  ])('is none %s', async (_when, set) => {
    const contextId = await begin()
    await change(contextId, set)
    expect(await answerAtOnce(contextId)).toBeUndefined()
    expect((await storedOf(contextId)).messages).toHaveLength(1)
  })

  it('is none while another transaction holds the conversation: nobody waits for it', async () => {
    const contextId = await begin()
    await withClient(async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT FROM "Conversation" WHERE "id" = $1 FOR UPDATE', [contextId])
      expect(await answerAtOnce(contextId)).toBeUndefined()
      await client.query('ROLLBACK')
    })
    expect(await answerAtOnce(contextId)).toMatchObject({ kind: 'replied' })
  })

  it('takes the place of a turn that a crash has left running, once its time is over', async () => {
    const contextId = await begin()
    await change(contextId, `"turnId" = gen_random_uuid(), "turnUntil" = now() - interval '1 second'`)
    expect(await answerAtOnce(contextId)).toMatchObject({ kind: 'replied' })
    expect(await storedOf(contextId)).toMatchObject({ turnId: null, turnUntil: null })
  })

  it('goes on with a context that has run as a Brand user, which stays that one’s (§5.5)', async () => {
    const contextId = await begin()
    await change(contextId, `"brandUserId" = 'jane'`)
    expect(await answerAtOnce(contextId)).toMatchObject({ kind: 'replied' })
    expect(await storedOf(contextId)).toMatchObject({ brandUserId: 'jane' })
  })

  it('is none for somebody else, or under another Brand: to them the context is like one that is not there (§4.2)', async () => {
    const contextId = await begin()
    const unknown = await namesOf(() => talk('next', randomUUID()))
    expect(unknown.result).toEqual({ kind: 'unknown-context' })
    const others = [
      { ...owner, subject: 'user-2' },
      { ...owner, brandId: OTHER_BRAND_ID },
      { ...owner, personalAgentId: randomUUID() },
    ]
    for (const other of others) {
      expect(await namesOf(() => takeTurn(other, say('next', contextId), brand))).toEqual(unknown)
    }
    expect((await storedOf(contextId)).messages).toHaveLength(1)
  })
})
