import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectA2aError, expectA2aOk, expectReply } from '../expectations.ts'
import { contextIdOf, type Provider } from '../provider.ts'
import { must, mustNot } from '../requirement.ts'
import { newSubject } from '../tokens.ts'
import { type Answer, at } from '../wire.ts'

/** A contextId that looks like `sample`, and that no Provider has minted. */
function unknownLike(sample: string): string {
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-4/.test(sample)) return randomUUID()
  const random = (characters: string) => characters[Math.floor(Math.random() * characters.length)] ?? ''
  return sample
    .replace(/[g-z]/g, () => random('ghjkmnpqrstvwxyz'))
    .replace(/[G-Z]/g, () => random('GHJKMNPQRSTVWXYZ'))
    .replace(/[a-f]/g, () => random('abcdef'))
    .replace(/[A-F]/g, () => random('ABCDEF'))
    .replace(/[0-9]/g, () => random('0123456789'))
}

/** What the caller learns: all of the answer but the contextId that the request itself named. */
function learned(answer: Answer, contextId: string): unknown {
  return { status: answer.status, body: answer.text.replaceAll(contextId, '(contextId)') }
}

must('4.2', 'the reply is synchronous: a Message with role ROLE_AGENT and a contextId', async (provider) => {
  const reply = expectReply(await provider.message())
  expect(reply.parts).toEqual(expect.arrayContaining([expect.objectContaining({ text: expect.any(String) })]))
})

must('4.2', 'without contextId, each message starts a new conversation', async (provider) => {
  const token = await provider.token(newSubject())
  const first = contextIdOf(await provider.message({ token }))
  const second = contextIdOf(await provider.message({ token }))
  expect(second).not.toBe(first)
})

must('4.2', 'the contextId is opaque: it holds neither sub nor issuer', async (provider) => {
  const { subject, contextId } = await provider.converse()
  expect(contextId).not.toContain(subject)
  expect(contextId).not.toContain(provider.target.personalAgent.issuer)
})

must('4.2', 'with contextId, the message continues that conversation', async (provider) => {
  const { token, contextId } = await provider.converse()
  for (let turn = 0; turn < 2; turn += 1) {
    expect(expectReply(await provider.message({ token, contextId })).contextId).toBe(contextId)
  }
})

must('4.2', 'a new token of the same User continues the conversation', async (provider) => {
  const { subject, contextId } = await provider.converse()
  const token = await provider.signer.sign({ claims: { sub: subject, jti: randomUUID() } })
  expect(expectReply(await provider.message({ token, contextId })).contextId).toBe(contextId)
})

must('4.2', 'an unknown contextId gets INVALID_PARAMS', async (provider) => {
  const { token, contextId } = await provider.converse()
  expectA2aError(await provider.message({ token, contextId: unknownLike(contextId) }), 'INVALID_PARAMS')
})

must('4.2', 'a contextId of another shape gets INVALID_PARAMS', async (provider) => {
  for (const contextId of ['nonsense', '../../etc', "' OR 1=1 --", 'x'.repeat(1000), '👋']) {
    expectA2aError(await provider.message({ contextId }), 'INVALID_PARAMS')
  }
})

/** Somebody to whom another's conversation is foreign: where they send, and with what token. */
type Foreigner = { to?: string; token: string }
type NotTested = (reason: string) => never

const foreigners: [
  string,
  (provider: Provider, subject: string, notTested: NotTested) => Promise<Foreigner>,
][] = [
  [
    'another Brand',
    async (provider, subject) => ({ to: provider.otherInterfaceUrl, token: await provider.token(subject) }),
  ],
  ['another sub', async (provider) => ({ token: await provider.token(newSubject()) })],
  [
    'the same sub at another personal agent',
    async (provider, subject, notTested) => {
      const { otherPersonalAgent } = provider.target
      if (!otherPersonalAgent) return notTested('needs PA2_ISSUER and PA2_PRIVATE_JWK')
      return { token: await provider.signerFor(otherPersonalAgent).sign({ claims: { sub: subject } }) }
    },
  ],
]

for (const [who, makeForeigner] of foreigners) {
  must(
    '4.2',
    `the context belongs to its owner: for ${who} it gets INVALID_PARAMS`,
    async (provider, notTested) => {
      const { subject, contextId } = await provider.converse()
      const foreigner = await makeForeigner(provider, subject, notTested)
      expectA2aError(await provider.message({ ...foreigner, contextId }), 'INVALID_PARAMS')
    },
  )

  mustNot(
    '4.2',
    `the error says whether the context exists: for ${who} it is as for an unknown one`,
    async (provider, notTested) => {
      const { subject, contextId } = await provider.converse()
      const foreigner = await makeForeigner(provider, subject, notTested)
      const unknown = unknownLike(contextId)
      const atForeign = await provider.message({ ...foreigner, contextId })
      const atUnknown = await provider.message({ ...foreigner, contextId: unknown })
      expect(learned(atForeign, contextId)).toEqual(learned(atUnknown, unknown))
    },
  )

  mustNot(
    '4.3',
    `a stored reply is given away: for ${who}, a messageId of the owner gets INVALID_PARAMS`,
    async (provider, notTested) => {
      const { subject, token, contextId } = await provider.converse()
      const messageId = randomUUID()
      expectReply(await provider.message({ token, contextId, messageId }))
      const foreigner = await makeForeigner(provider, subject, notTested)
      expectA2aError(await provider.message({ ...foreigner, contextId, messageId }), 'INVALID_PARAMS')
    },
  )
}

must('4.2', 'after a stranger has tried, the owner continues undisturbed', async (provider) => {
  const { token, contextId } = await provider.converse()
  const messageId = randomUUID()
  await provider.message({ token: await provider.token(newSubject()), contextId, messageId })
  expect(expectReply(await provider.message({ token, contextId, messageId })).contextId).toBe(contextId)
})

must('4.2', 'one User’s conversations with two Brands are two', async (provider) => {
  const { token, contextId } = await provider.converse()
  const other = contextIdOf(await provider.message({ to: provider.otherInterfaceUrl, token }))
  expect(other).not.toBe(contextId)
})

must('4.2', 'ordinary turns create no A2A Task: none in the reply, none in the list', async (provider) => {
  const { token, contextId, answer } = await provider.converse()
  expect(at(answer.json, 'task')).toBeUndefined()
  expect(at(answer.json, 'message', 'taskId') ?? '').toBe('')
  await provider.message({ token, contextId })
  const list = await provider.operation('GET', `tasks?contextId=${encodeURIComponent(contextId)}`, token)
  expectA2aOk(list)
  expect(at(list.json, 'tasks')).toEqual([])
})

must('4.2', 'neither a contextId nor a messageId is the id of a Task', async (provider) => {
  const { token, contextId, answer } = await provider.converse()
  for (const id of [contextId, String(at(answer.json, 'message', 'messageId'))]) {
    const task = await provider.operation('GET', `tasks/${encodeURIComponent(id)}`, token)
    expectA2aError(task, 'TASK_NOT_FOUND')
  }
})

/** A conversation that the Brand's agent has ended. */
async function closedConversation(provider: Provider, notTested: NotTested) {
  const { closingText } = provider.target
  if (closingText === undefined) return notTested('needs CLOSING_TEXT')
  const conversation = await provider.converse()
  expectReply(await provider.message({ ...conversation, text: closingText }))
  return { token: conversation.token, contextId: conversation.contextId }
}

must('4.2', 'a message to a closed contextId gets UNSUPPORTED_OPERATION', async (provider, notTested) => {
  expectA2aError(
    await provider.message(await closedConversation(provider, notTested)),
    'UNSUPPORTED_OPERATION',
  )
})

must(
  '4.2',
  'after a conversation was closed, a message without contextId starts a new one',
  async (provider, notTested) => {
    const { token, contextId } = await closedConversation(provider, notTested)
    expect(expectReply(await provider.message({ token })).contextId).not.toBe(contextId)
  },
)

mustNot(
  '4.2',
  'a closed context tells others that it exists: for another sub it gets INVALID_PARAMS',
  async (provider, notTested) => {
    const { contextId } = await closedConversation(provider, notTested)
    expectA2aError(
      await provider.message({ token: await provider.token(newSubject()), contextId }),
      'INVALID_PARAMS',
    )
  },
)
