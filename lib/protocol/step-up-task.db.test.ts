import { randomUUID } from 'node:crypto'
import { SendMessageResponse, TaskState } from '@a2a-js/sdk'
import { describe, expect, it } from 'vitest'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { SCOPES } from '#e2e/harness/order-agent-provision.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { signPaToken } from '#e2e/harness/wire.ts'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { prisma } from '#lib/platform/database.ts'
import { handle } from './handle.ts'

const sender = delegatedSenderOfThisFile()
const { send, allow } = sender

describe('§5.5 step-up', () => {
  it('is a task with the missing ids and a link of its own; nothing was called', async () => {
    const { subject, token } = await allow('orders:read')
    const { status, headers, body } = await send('cancel A-1', { subject, token })
    expect([status, headers.get('Content-Type')]).toEqual([200, 'application/a2a+json'])
    const { task } = body
    expect(task).toEqual({
      id: expect.stringMatching(/^t-/),
      contextId: expect.any(String),
      status: {
        state: 'TASK_STATE_AUTH_REQUIRED',
        message: {
          messageId: expect.any(String),
          role: 'ROLE_AGENT',
          parts: [{ text: 'I need permission to cancel orders.' }],
        },
      },
      metadata: {
        'pact.missingScopes': ['orders:cancel'],
        'pact.verificationUriComplete': expect.stringContaining(`${sender.api.origin}/login?return_to=`),
        'pact.receipt': {
          jws: expect.any(String),
          claims: expect.objectContaining({ actions: [], scopesUsed: [] }),
        },
      },
    })
    expect(sender.api.calls).toEqual([])
    const [asked] = await prisma().deviceAuthorization.findMany({ where: { brandId: BRAND_ID, subject } })
    expect(asked).toMatchObject({ requestedScopes: ['orders:cancel'], state: 'pending' })
  })

  it('is what the SDK reads as a task that waits for authorization', async () => {
    const { body } = await send('my orders', { subject: randomUUID() })
    const { payload } = SendMessageResponse.fromJSON(body)
    if (payload?.$case !== 'task') throw new Error('no task')
    expect(payload.value).toMatchObject({ id: body.task.id, contextId: body.task.contextId })
    expect(payload.value.status).toMatchObject({ state: TaskState.TASK_STATE_AUTH_REQUIRED })
    expect(payload.value.status?.message?.messageId).not.toBe('')
    expect(payload.value.metadata).toEqual(body.task.metadata)
  })

  it('without a token asks for all that the turn needs, and has no receipt', async () => {
    const { body } = await send('cancel A-1', { subject: randomUUID() })
    expect(body.task.metadata['pact.missingScopes']).toEqual(['orders:read', 'orders:cancel'])
    expect(body.task.metadata['pact.receipt']).toBeUndefined()
  })

  it('leaves the conversation open: the same message runs with the new token', async () => {
    const { subject, token, grantId } = await allow('orders:read')
    const messageId = 'm-1'
    const first = await send('cancel A-1', { subject, token, message: { messageId } })
    await prisma().grant.update({ where: { id: grantId, brandId: BRAND_ID }, data: { scopes: [...SCOPES] } })
    const more = await sender.tokenFor(grantId, SCOPES)
    const message = { messageId, contextId: first.body.task.contextId }
    const second = await send('cancel A-1', { subject, token: more, message })
    expect(second.body.message).toMatchObject({
      contextId: message.contextId,
      parts: [{ text: 'Order A-1 is cancelled. 12 EUR.' }],
    })
    const third = await send('cancel A-1', { subject, token: more, message })
    expect(third.content).toBe(second.content)
    expect(sender.api.calls).toHaveLength(2)
  })

  it('the task itself is not kept', async () => {
    const subject = randomUUID()
    const { body } = await send('my orders', { subject })
    const response = await handle(
      new Request(`${interfaceUrl(BRAND_ID)}/tasks/${body.task.id}`, {
        headers: { Authorization: `Bearer ${await signPaToken(sender.agent, { sub: subject })}` },
      }),
    )
    expect([response.status, (await response.json()).error.details[0].reason]).toEqual([
      404,
      'TASK_NOT_FOUND',
    ])
  })
})
