import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it, vi } from 'vitest'
import { storeConversationOwner } from '#e2e/harness/conversation-owner.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { playDelegation, storePlayedGrant } from '#e2e/harness/played-delegation.ts'
import type { Agent, SentCall } from '#lib/agents/agent.ts'
import { BROKEN_OFF_TEXT } from '#lib/agents/fixed-texts.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Owner } from './conversation.ts'
import { stopRunningTurns } from './running-turns.ts'
import { takeTurn } from './take-turn.ts'

let owner: Owner

databaseOfThisFile()
beforeAll(async () => {
  owner = await storeConversationOwner()
  await storePlayedGrant(owner, 'cancel')
})

const delegation = playDelegation('cancel')

const call: SentCall = { action: { tool: 'cancel', argsHash: 'x' }, scopes: ['cancel'], changes: true }

/** Calls at the word "cancel", and then waits for longer than anybody. */
function buildBrand() {
  const signals: AbortSignal[] = []
  const agent: Agent = {
    timeLimit: 120_000,
    run(turn) {
      if (turn.text === 'cancel') turn.sent.add(call)
      signals.push(turn.signal)
      return new Promise(() => {})
    },
  }
  return { brand: { agent, idleTime: 3_600_000 }, signals }
}

const say = (text: string, contextId?: string) => ({ text, contextId, messageId: randomUUID() })

it('a turn that has called is stopped and settles with its receipt; another stays unanswered; none begins', async () => {
  const { brand, signals } = buildBrand()
  const cancelling = takeTurn(owner, say('cancel'), brand, delegation)
  const talking = takeTurn(owner, say('hello'), brand)
  await vi.waitFor(() => expect(signals).toHaveLength(2))
  const where = { brandId: owner.brandId, brandUserId: 'jane' }
  const { id: contextId } = await prisma().conversation.findFirstOrThrow({ where })
  const behind = takeTurn(owner, say('next', contextId), brand)
  await stopRunningTurns()

  const cancelled = await cancelling
  expect(cancelled).toMatchObject({
    kind: 'replied',
    reply: { text: BROKEN_OFF_TEXT, receipt: { claims: { actions: [call.action], scopesUsed: ['cancel'] } } },
    fault: { name: 'AgentStoppedError' },
  })
  expect(await talking).toMatchObject({ kind: 'failed', cause: { name: 'AgentStoppedError' } })
  expect(await behind).toEqual({ kind: 'busy' })
  expect(await takeTurn(owner, say('late'), brand)).toEqual({ kind: 'busy' })
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  const stored = await prisma().message.findMany({
    where: { brandId: owner.brandId },
    orderBy: { id: 'asc' },
  })
  expect(stored.map(({ text, replyText }) => [text, replyText]).sort()).toEqual([
    ['cancel', BROKEN_OFF_TEXT],
    ['hello', null],
  ])
  expect(await prisma().receipt.count({ where: { brandId: owner.brandId } })).toBe(1)
})
