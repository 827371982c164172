import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectA2aError, expectNoA2aBody, expectOneEvent, expectUnauthorized } from '../expectations.ts'
import type { Provider } from '../provider.ts'
import { must, mustNot, type NotTested } from '../requirement.ts'
import { newSubject } from '../tokens.ts'
import { at, mediaType } from '../wire.ts'

// §2.2: "Other A2A operations behave as A2A defines", where a card says `capabilities.streaming`.

/** The interface URL of a Brand that offers streaming; ends the test where there is none. */
function streamingInterface(provider: Provider, notTested: NotTested): string {
  return provider.findStreaming(true) ?? notTested('no card offers streaming')
}

must(
  '2.2',
  'message:stream with streaming ends with the reply, its only event',
  async (provider, notTested) => {
    const to = streamingInterface(provider, notTested)
    const { data } = expectOneEvent(await provider.stream({ to }))
    expect(JSON.parse(data)).toMatchObject({
      message: {
        role: 'ROLE_AGENT',
        messageId: expect.stringMatching(/./),
        contextId: expect.stringMatching(/./),
        parts: expect.arrayContaining([expect.anything()]),
      },
    })
  },
)

must(
  '4.3',
  'a message that was streamed, sent again in its context, returns the stored reply',
  async (provider, notTested) => {
    const to = streamingInterface(provider, notTested)
    const token = await provider.token(newSubject())
    const messageId = randomUUID()
    const streamed = JSON.parse(expectOneEvent(await provider.stream({ to, token, messageId })).data)
    const again = { to, token, messageId, contextId: String(at(streamed, 'message', 'contextId')) }
    expect((await provider.message(again)).json).toEqual(streamed)
    expect(JSON.parse(expectOneEvent(await provider.stream(again)).data)).toEqual(streamed)
  },
)

mustNot('4.2', 'a stream goes on in a conversation of somebody else', async (provider, notTested) => {
  const to = streamingInterface(provider, notTested)
  const token = await provider.token(newSubject())
  const { data } = expectOneEvent(await provider.stream({ to, token }))
  const contextId = String(at(JSON.parse(data), 'message', 'contextId'))
  const other = await provider.token(newSubject())
  expectA2aError(await provider.stream({ to, token: other, contextId }), 'INVALID_PARAMS')
})

must('6', 'message:stream answers a message that is wrong like message:send', async (provider, notTested) => {
  const to = streamingInterface(provider, notTested)
  expectA2aError(await provider.stream({ to, extra: { role: 'ROLE_AGENT' } }), 'INVALID_PARAMS')
  expectA2aError(await provider.stream({ to, extra: { taskId: randomUUID() } }), 'TASK_NOT_FOUND')
  expectA2aError(
    await provider.stream({ to, extra: { parts: [{ data: {} }] } }),
    'CONTENT_TYPE_NOT_SUPPORTED',
  )
})

must('3.4', 'message:stream without a valid token is the 401', async (provider, notTested) => {
  const to = streamingInterface(provider, notTested)
  const answer = await provider.operationAt(to, 'POST', 'message:stream', 'not-a-token', {})
  expectUnauthorized(answer)
  expectNoA2aBody(answer)
})

must(
  '6',
  'INTERNAL for a streamed turn that fails, in place of the stream or as its event',
  async (provider, notTested) => {
    const { failingText } = provider.target
    if (failingText === undefined) return notTested('needs FAILING_TEXT')
    // The text is for the first Brand's agent.
    const to = streamingInterface(provider, notTested)
    if (to !== provider.interfaceUrl) return notTested('the first card offers no streaming')
    const answer = await provider.stream({ to, text: failingText })
    if (mediaType(answer) !== 'text/event-stream') return expectA2aError(answer, 'INTERNAL')
    expect(at(JSON.parse(expectOneEvent(answer).data), 'error')).toMatchObject({
      code: 500,
      status: 'INTERNAL',
      details: [{ reason: 'INTERNAL', domain: 'a2a-protocol.org' }],
    })
  },
)

must(
  '2.2',
  'tasks/{id}:subscribe with streaming gets TASK_NOT_FOUND for a task that is not there',
  async (provider, notTested) => {
    const to = streamingInterface(provider, notTested)
    const path = `tasks/${randomUUID()}:subscribe`
    const answers = [
      await provider.operationAt(to, 'POST', path),
      await provider.operationAt(to, 'GET', path),
    ]
    // A2A's own descriptions of HTTP+JSON name both methods: one is enough.
    const served = answers.filter(({ status }) => status !== 405)
    expect(served, 'answers that are not 405').not.toEqual([])
    for (const answer of served) expectA2aError(answer, 'TASK_NOT_FOUND')
  },
)
