import { randomUUID } from 'node:crypto'
import { Role } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import {
  ContentTypeNotSupportedError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProvider, type TestProvider } from '#e2e/harness/provider.ts'
import { connect, converse, say, textOf } from './harness/sdk-client.ts'

describe('@a2a-js/sdk’s own client, over its HTTP+JSON transport', () => {
  let provider: TestProvider
  let client: Client

  beforeAll(async () => {
    provider = await startTestProvider()
    client = await connect(provider)
  })
  afterAll(() => provider?.close())

  it('reads the card (§2.1)', async () => {
    const card = await client.getAgentCard()
    expect(card.supportedInterfaces).toMatchObject([
      {
        url: `${provider.url}/a2a/${provider.brandId}`,
        protocolBinding: 'HTTP+JSON',
        protocolVersion: '1.0',
      },
    ])
    expect(card.securitySchemes.paJwt?.scheme).toMatchObject({
      $case: 'httpAuthSecurityScheme',
      value: { scheme: 'Bearer', bearerFormat: 'JWT' },
    })
    expect(card.securityRequirements).toMatchObject([{ schemes: { paJwt: { list: [] } } }])
  })

  it('sends two messages in one context (§4.2)', async () => {
    const first = await converse(client, say('Where is my order?'))
    expect(first.role).toBe(Role.ROLE_AGENT)
    expect(textOf(first)).not.toBe('')
    const second = await converse(client, say('A-88213', first.contextId))
    expect(second.contextId).toBe(first.contextId)
    expect(second.messageId).not.toBe(first.messageId)
    expect(textOf(second)).toContain('A-88213')
  })

  it('gets the stored reply for a repeated message (§4.3)', async () => {
    const { contextId } = await converse(client, say('Hello'))
    const request = say('Hello again', contextId)
    expect(await converse(client, request)).toEqual(await converse(client, request))
  })

  it('falls back to message:send where it would stream', async () => {
    const kinds: unknown[] = []
    for await (const event of client.sendMessageStream(say('Hello'))) kinds.push(event.payload?.$case)
    expect(kinds).toEqual(['message'])
  })

  it('lists tasks: there are none (§2.2)', async () => {
    const { contextId } = await converse(client, say('Hello'))
    const request = { tenant: '', status: 0, pageToken: '', statusTimestampAfter: undefined }
    expect(await client.listTasks({ ...request, contextId, pageSize: 10 })).toMatchObject({
      tasks: [],
      nextPageToken: '',
      pageSize: 10,
      totalSize: 0,
    })
  })

  it('gets TASK_NOT_FOUND as its own TaskNotFoundError (§6)', async () => {
    const task = { tenant: '', id: 'no such/task' }
    await expect(client.getTask(task)).rejects.toBeInstanceOf(TaskNotFoundError)
    await expect(client.getTask(task)).rejects.toMatchObject({ reason: 'TASK_NOT_FOUND', statusCode: 404 })
    await expect(client.cancelTask({ ...task, metadata: undefined })).rejects.toBeInstanceOf(
      TaskNotFoundError,
    )
    await expect(converse(client, say('Hello', '', { taskId: 'none' }))).rejects.toBeInstanceOf(
      TaskNotFoundError,
    )
  })

  it('gets the other errors as its own types, too (§6)', async () => {
    await expect(converse(client, say('Hello', randomUUID()))).rejects.toBeInstanceOf(RequestMalformedError)
    await expect(converse(client, say(' '))).rejects.toBeInstanceOf(RequestMalformedError)
    const part = {
      content: { $case: 'data' as const, value: { order: 1 } },
      filename: '',
      mediaType: '',
      metadata: undefined,
    }
    await expect(converse(client, say('', '', { parts: [part] }))).rejects.toBeInstanceOf(
      ContentTypeNotSupportedError,
    )
    const subscription = client.resubscribeTask({ tenant: '', id: 'none' })
    await expect(subscription.next()).rejects.toBeInstanceOf(UnsupportedOperationError)
  })

  it('is told of a closed conversation as UnsupportedOperationError (§4.2)', async () => {
    const { contextId } = await converse(client, say('Hello'))
    await converse(client, say(provider.closingText, contextId))
    await expect(converse(client, say('Hello?', contextId))).rejects.toBeInstanceOf(UnsupportedOperationError)
  })

  it('sees a refused token as 401 (§3.4)', async () => {
    const refused = await connect({ ...provider, personalAgent: provider.disabledPersonalAgent })
    await expect(converse(refused, say('Hello'))).rejects.toMatchObject({ statusCode: 401 })
  })
})
