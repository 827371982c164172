import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectA2aError, expectReply } from '../expectations.ts'
import { contextIdOf, type Provider } from '../provider.ts'
import { must, mustNot } from '../requirement.ts'
import { newSubject } from '../tokens.ts'
import { at } from '../wire.ts'

async function answeredTurn(provider: Provider) {
  const { token, contextId } = await provider.converse()
  const messageId = randomUUID()
  const answer = await provider.message({ token, contextId, messageId })
  expectReply(answer)
  return { token, contextId, messageId, answer }
}

must('4.3', 'a repeated messageId in the same contextId returns the stored reply', async (provider) => {
  const { answer, ...turn } = await answeredTurn(provider)
  const again = await provider.message(turn)
  expectReply(again)
  expect(again.text).toBe(answer.text)
})

must(
  '4.3',
  'the first message of a conversation, repeated with its contextId, returns the stored reply',
  async (provider) => {
    const token = await provider.token(newSubject())
    const messageId = randomUUID()
    const first = await provider.message({ token, messageId })
    const again = await provider.message({ token, messageId, contextId: contextIdOf(first) })
    expectReply(again)
    expect(again.text).toBe(first.text)
  },
)

must('4.3', 'the stored reply comes back after later turns, too', async (provider) => {
  const { answer, ...turn } = await answeredTurn(provider)
  expectReply(await provider.message({ ...turn, messageId: randomUUID() }))
  expect((await provider.message(turn)).text).toBe(answer.text)
})

must('4.3', 'the stored reply comes back for another text under the same messageId', async (provider) => {
  const { answer, ...turn } = await answeredTurn(provider)
  expect((await provider.message({ ...turn, text: 'Something else altogether' })).text).toBe(answer.text)
})

must('4.3', 'the same messageId in another context runs', async (provider) => {
  const { token, messageId, contextId, answer } = await answeredTurn(provider)
  const other = contextIdOf(await provider.message({ token }))
  const reply = expectReply(await provider.message({ token, contextId: other, messageId }))
  expect(reply.contextId).toBe(other)
  expect(reply.contextId).not.toBe(contextId)
  expect(reply.messageId).not.toBe(at(answer.json, 'message', 'messageId'))
})

must('4.3', 'the same messageId without contextId starts another conversation', async (provider) => {
  const { token, messageId, contextId } = await answeredTurn(provider)
  expect(contextIdOf(await provider.message({ token, messageId }))).not.toBe(contextId)
})

mustNot(
  '4.3',
  'a repeat runs the agent: sent twice at once, one reply is made',
  async (provider, notTested) => {
    const { token, contextId } = await provider.converse()
    const turn = { token, contextId, messageId: randomUUID() }
    const answers = await provider.messageTwice(turn)
    const counted = answers.filter(({ status }) => status !== 429)
    if (counted.length === 0) notTested('both requests met a 429')
    const replies = counted.filter(({ status }) => status === 200)
    for (const answer of counted) if (!replies.includes(answer)) expectA2aError(answer, 'INVALID_PARAMS')
    expect(replies, 'replies').not.toEqual([])
    const stored = await provider.message(turn)
    for (const reply of replies) expect(reply.text).toBe(stored.text)
  },
)

must(
  '4.3',
  'a repeated messageId without a stored reply gets INVALID_PARAMS',
  async (provider, notTested) => {
    const { failingText } = provider.target
    if (failingText === undefined) return notTested('needs FAILING_TEXT')
    const { token, contextId } = await provider.converse()
    const turn = { token, contextId, messageId: randomUUID(), text: failingText }
    expectA2aError(await provider.message(turn), 'INTERNAL')
    expectA2aError(await provider.message(turn), 'INVALID_PARAMS')
  },
)
