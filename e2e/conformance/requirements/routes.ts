import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import {
  expectA2aError,
  expectA2aOk,
  expectNoA2aBody,
  expectNoSuchRoute,
  expectReply,
  expectUnauthorized,
} from '../expectations.ts'
import { listed, must } from '../requirement.ts'
import { at, mediaType, send } from '../wire.ts'

const taskId = randomUUID()
const hello = { message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Hello' }] } }

must('2', 'a reply has Content-Type application/a2a+json', async (provider) => {
  expect(mediaType(await provider.message())).toBe('application/a2a+json')
})

must('2', 'a list of tasks has Content-Type application/a2a+json', async (provider) => {
  expect(mediaType(await provider.operation('GET', 'tasks'))).toBe('application/a2a+json')
})

must('2', 'an A2A error has Content-Type application/a2a+json', async (provider) => {
  expect(mediaType(await provider.post('not JSON'))).toBe('application/a2a+json')
  expect(mediaType(await provider.operation('GET', `tasks/${taskId}`))).toBe('application/a2a+json')
})

listed(
  '2',
  'SHOULD',
  'requests send A2A-Version: 1.0 and Content-Type: application/json',
  'binds personal agents',
)

must('2.2', 'POST message:send answers 200 { "message": Message }', async (provider) => {
  expectReply(await provider.message())
})

must('2.2', 'GET tasks answers 200 with an empty ListTasksResponse', async (provider) => {
  const answer = await provider.operation('GET', 'tasks')
  expectA2aOk(answer)
  expect(at(answer.json, 'tasks')).toEqual([])
})

must('2.2', 'a ListTasksResponse has the members that A2A requires', async (provider) => {
  const answer = await provider.operation('GET', 'tasks?pageSize=7')
  expect(answer.json).toMatchObject({ tasks: [], nextPageToken: '', pageSize: 7, totalSize: 0 })
})

must('2.2', 'pageSize is 50 by default', async (provider) => {
  const answer = await provider.operation('GET', 'tasks')
  expect(at(answer.json, 'pageSize')).toBe(50)
})

for (const pageSize of ['1', '100']) {
  must('2.2', `pageSize ${pageSize} is accepted`, async (provider) => {
    expectA2aOk(await provider.operation('GET', `tasks?pageSize=${pageSize}`))
  })
}

for (const pageSize of ['0', '101', '-1', '1.5', 'ten']) {
  must('2.2', `pageSize ${pageSize} gets INVALID_PARAMS`, async (provider) => {
    expectA2aError(await provider.operation('GET', `tasks?pageSize=${pageSize}`), 'INVALID_PARAMS')
  })
}

must('2.2', 'GET tasks/{id} gets TASK_NOT_FOUND', async (provider) => {
  expectA2aError(await provider.operation('GET', `tasks/${taskId}`), 'TASK_NOT_FOUND')
})

must('2.2', 'POST tasks/{id}:cancel gets TASK_NOT_FOUND', async (provider) => {
  expectA2aError(await provider.operation('POST', `tasks/${taskId}:cancel`), 'TASK_NOT_FOUND')
})

must('2.2', 'POST tasks/{id}:cancel with a body gets TASK_NOT_FOUND', async (provider) => {
  expectA2aError(await provider.operation('POST', `tasks/${taskId}:cancel`, undefined, {}), 'TASK_NOT_FOUND')
})

must(
  '2.2',
  'message:stream without streaming gets UNSUPPORTED_OPERATION, as A2A defines',
  async (provider, notTested) => {
    const to = provider.findStreaming(false) ?? notTested('both cards offer streaming')
    expectA2aError(
      await provider.operationAt(to, 'POST', 'message:stream', undefined, hello),
      'UNSUPPORTED_OPERATION',
    )
  },
)

must(
  '2.2',
  'tasks/{id}:subscribe without streaming gets UNSUPPORTED_OPERATION, as A2A defines',
  async (provider, notTested) => {
    const to = provider.findStreaming(false) ?? notTested('both cards offer streaming')
    // A2A's own descriptions of HTTP+JSON name both methods: one is enough, the other may be no route at all.
    const answers = [
      await provider.operationAt(to, 'POST', `tasks/${taskId}:subscribe`),
      await provider.operationAt(to, 'GET', `tasks/${taskId}:subscribe`),
    ]
    const served = answers.filter(({ status }) => status !== 404 && status !== 405)
    expect(served, 'answers that are neither 404 nor 405').not.toEqual([])
    for (const answer of answers) {
      if (served.includes(answer)) expectA2aError(answer, 'UNSUPPORTED_OPERATION')
      else expectNoSuchRoute(answer)
    }
  },
)

must(
  '2.2',
  'extendedAgentCard without that capability gets UNSUPPORTED_OPERATION, as A2A defines',
  async (provider, notTested) => {
    if (provider.has('extendedAgentCard')) notTested('the card offers an extended card')
    expectA2aError(await provider.operation('GET', 'extendedAgentCard'), 'UNSUPPORTED_OPERATION')
  },
)

const pushOperations = [
  ['POST', 'pushNotificationConfigs', { url: 'https://example.com/hook' }],
  ['GET', 'pushNotificationConfigs', undefined],
  ['GET', 'pushNotificationConfigs/one', undefined],
  ['DELETE', 'pushNotificationConfigs/one', undefined],
] as const

for (const [method, path, body] of pushOperations) {
  const name = `${method} tasks/{id}/${path.replace('one', '{configId}')}`
  must(
    '2.2',
    `${name} without that capability gets PUSH_NOTIFICATION_NOT_SUPPORTED, as A2A defines`,
    async (provider, notTested) => {
      if (provider.has('pushNotifications')) notTested('the card offers push notifications')
      const answer = await provider.operation(method, `tasks/${taskId}/${path}`, undefined, body)
      expectA2aError(answer, 'PUSH_NOTIFICATION_NOT_SUPPORTED')
    },
  )
}

/** Below the interface URL, and none of them an operation of A2A 1.0. */
const noRoutes = [
  ['GET', 'no-such-route'],
  ['POST', 'message:no-such-verb'],
  ['POST', 'v1/message:send'],
  ['GET', 'message:send'],
  ['PUT', 'message:send'],
  ['POST', 'tasks'],
  ['DELETE', `tasks/${taskId}`],
  ['POST', `tasks/${taskId}:no-such-verb`],
  ['GET', `tasks/${taskId}:cancel/more`],
  ['GET', `tasks/${taskId}/no-such-route`],
] as const

for (const [method, path] of noRoutes) {
  const name = `${method} ${path.replace(taskId, '{id}')}`
  must('2.2', `${name} is no A2A operation: 404 or 405 with no A2A body`, async (provider) => {
    expectNoSuchRoute(await provider.operation(method, path))
  })

  must(
    '2.2',
    `${name} without a token is 404 or 405 too: routing before authentication`,
    async (provider) => {
      expectNoSuchRoute(await provider.operation(method, path, null))
    },
  )
}

const brandOperations = [
  ['POST', 'message:send', hello],
  ['GET', 'tasks', undefined],
  ['GET', `tasks/${taskId}`, undefined],
  ['POST', `tasks/${taskId}:cancel`, undefined],
] as const

for (const [method, path, body] of brandOperations) {
  const name = `${method} ${path.replace(taskId, '{id}')}`
  must(
    '2.2',
    `${name} of an unknown Brand, with a valid token, is 404 with no A2A body`,
    async (provider) => {
      const url = `${provider.unknownBrandUrl()}/${path}`
      const answer = await send({ method, url, token: await provider.token(), body })
      expect(answer.status).toBe(404)
      expectNoA2aBody(answer)
    },
  )
}

must('2.2', 'an unknown Brand, with a bad token, is 404 or 401 with no A2A body', async (provider) => {
  const url = `${provider.unknownBrandUrl()}/message:send`
  const answer = await send({ method: 'POST', url, token: 'not-a-token', body: hello })
  if (answer.status === 401) expectUnauthorized(answer)
  else expect(answer.status).toBe(404)
  expectNoA2aBody(answer)
})
