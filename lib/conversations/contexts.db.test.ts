import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { countingAgent, replyOf, say } from '#e2e/harness/counting-agent.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { allowTurns, stopRunningTurns } from './running-turns.ts'
import { takeTurn } from './take-turn.ts'

const brandId = BRAND_ID
let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
})

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
    allowTurns()
    expect(replyOf(await takeTurn(owner, say('c', contextId), countingAgent())).text).toBe('turn 2: c')
    expect((await running).kind).toBe('failed')
    expect(await takeTurn(owner, message, countingAgent())).toEqual({ kind: 'unanswered' })
  })
})
