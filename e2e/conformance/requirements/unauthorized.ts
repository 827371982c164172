import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectUnauthorized } from '../expectations.ts'
import { must, mustNot, should } from '../requirement.ts'
import { sendUnfinished } from '../unfinished.ts'
import { send } from '../wire.ts'

const taskId = randomUUID()
const hello = { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Hello' }] } }

const operations = [
  ['POST', 'message:send', hello],
  ['GET', 'tasks', undefined],
  ['GET', `tasks/${taskId}`, undefined],
  ['POST', `tasks/${taskId}:cancel`, undefined],
] as const

for (const [method, path, body] of operations) {
  const name = `${method} ${path.replace(taskId, '{id}')}`
  must(
    '3.2',
    `every request but the card carries a token: ${name} without one gets 401`,
    async (provider) => {
      expectUnauthorized(await provider.operation(method, path, null, body))
    },
  )

  must('3.4', `a bad token on ${name} gets 401`, async (provider) => {
    expectUnauthorized(await provider.operation(method, path, 'not-a-token', body))
  })
}

const garbage: [string, string][] = [
  ['another scheme', 'Basic dXNlcjpwYXNzd29yZA=='],
  ['the scheme alone', 'Bearer'],
  ['garbage for a token', 'Bearer not-a-token'],
  ['three parts of garbage', 'Bearer a.b.c'],
  ['two dots', 'Bearer ..'],
  ['a header that is not JSON', `Bearer ${Buffer.from('nonsense').toString('base64url')}.e30.AAAA`],
  ['claims that are not an object', `Bearer ${Buffer.from('{"alg":"ES256"}').toString('base64url')}.MQ.AAAA`],
  ['a very long token', `Bearer ${'a'.repeat(4000)}.${'b'.repeat(2000)}.c`],
]

for (const [why, authorization] of garbage) {
  must('3.4', `the 401 for ${why}`, async ({ interfaceUrl }) => {
    const headers = { Authorization: authorization }
    expectUnauthorized(
      await send({ method: 'POST', url: `${interfaceUrl}/message:send`, headers, body: hello }),
    )
  })
}

must('3.4', 'the 401 for a good token under another scheme', async (provider) => {
  const headers = { Authorization: `Basic ${await provider.token()}` }
  const url = `${provider.interfaceUrl}/message:send`
  expectUnauthorized(await send({ method: 'POST', url, headers, body: hello }))
})

must('3.4', 'the 401 for a good token in the query in place of the header', async (provider) => {
  const url = `${provider.interfaceUrl}/tasks?access_token=${await provider.token()}`
  expectUnauthorized(await send({ url }))
})

mustNot(
  '4.2',
  'a contextId is taken for a credential: with one, but without a token, 401',
  async (provider) => {
    const { contextId } = await provider.converse()
    const message = { ...hello.message, contextId }
    expectUnauthorized(await provider.operation('POST', 'message:send', null, { message }))
  },
)

should(
  '3.4',
  'authenticate before the body is judged: a bad token with bad JSON gets 401',
  async (provider) => {
    expectUnauthorized(await provider.operation('POST', 'message:send', 'not-a-token', '{ not JSON'))
  },
)

should(
  '3.4',
  'authenticate before the body is read: 401 while the body is still to come',
  async ({ interfaceUrl }) => {
    const answer = await sendUnfinished(`${interfaceUrl}/message:send`, 'not-a-token')
    expect(answer.status, 'the status').toBe(401)
    expect(answer.challenge, 'WWW-Authenticate').toBe('Bearer realm="a2a"')
  },
)

should(
  '3.4',
  'authenticate before looking up the Brand: a bad token for an unknown Brand gets 401',
  async (provider, notTested) => {
    const url = `${provider.unknownBrandUrl()}/message:send`
    const answer = await send({ method: 'POST', url, token: 'not-a-token', body: hello })
    if (answer.status === 404) notTested('the Provider answers 404 to an unknown Brand, which §2.2 allows')
    expectUnauthorized(answer)
  },
)
