import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { readTranscript } from '#lib/conversations/transcript.ts'
import { checkHeldReceipt } from '#lib/delegation/check-held-receipt.ts'
import { rotateKey } from '#lib/keys/rotation.ts'
import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'

const admin: Viewer = {
  userId: '01900000-0000-7000-8000-000000000001',
  email: 'admin@provider.example',
  name: null,
  providerRole: 'admin',
  brandRoles: new Map(),
}
const sender = delegatedSenderOfThisFile()
const { send, allow } = sender

beforeAll(() => {
  log().level = 'silent'
})

/** The Brand signs with a key from here on that can't be opened. @returns what makes it open again */
async function breakKey(): Promise<() => Promise<void>> {
  await rotateKey(BRAND_ID, { force: true })
  const active = await prisma().signingKey.findFirstOrThrow({ where: { brandId: BRAND_ID, state: 'active' } })
  const store = async (sealedPrivate: Uint8Array<ArrayBuffer> | null) => {
    await prisma().signingKey.update({ where: { id: active.id, brandId: BRAND_ID }, data: { sealedPrivate } })
    forgetConfirmation()
  }
  await store(new Uint8Array(100))
  return () => store(active.sealedPrivate)
}

/** The key breaks when the Brand's API has done what it was asked. */
function breakKeyAtCall(call: string) {
  let mend: (() => Promise<void>) | undefined
  sender.api.answerWith(async ({ method, path }) => {
    if (`${method} ${path}` === call) mend ??= await breakKey()
    return path === '/orders'
      ? { json: { orders: [{ number: 'A-1', status: 'packed' }] } }
      : { json: { refund: '12 EUR.' } }
  })
  return async () => mend?.()
}

const changesMade = () => sender.api.calls.filter(({ method }) => method === 'POST').length

it('§5.6: what was done stays on record, once, and its message is answered as soon as it can be signed for', async () => {
  const { subject, token, grantId } = await allow('orders:read', 'orders:cancel')
  const { contextId } = (await send('hello', { subject, token })).body.message
  const message = { messageId: randomUUID(), contextId }
  const cancel = () => send('Please cancel A-1', { subject, token, message })
  const mend = breakKeyAtCall('POST /orders/A-1/cancel')
  const failed = await cancel()
  expect([failed.status, failed.body.error.details[0].reason]).toEqual([500, 'INTERNAL'])
  // Nothing can be signed yet, whoever asks.
  expect((await cancel()).status).toBe(500)
  expect((await send('Please cancel A-1', { subject, message })).status).toBe(500)
  const where = { brandId: BRAND_ID, conversationId: contextId, messageId: message.messageId }
  expect(await prisma().message.findFirst({ where })).toMatchObject({
    replyText: 'Order A-1 is cancelled. 12 EUR.',
    receipt: { unsigned: { grantId, scopesUsed: ['orders:read', 'orders:cancel'] } },
  })
  const waits = async () =>
    (await readTranscript(admin, contextId)).entries.flatMap((entry) =>
      entry.kind === 'turn' ? [[Boolean(entry.reply), entry.unsigned]] : [],
    )
  expect(await waits()).toEqual([
    [true, false],
    [true, true],
  ])
  await mend()
  const answers = await Promise.all(Array.from({ length: 4 }, cancel))
  const [first] = answers
  expect(first?.body.message.parts).toEqual([{ text: 'Order A-1 is cancelled. 12 EUR.' }])
  for (const answer of answers) expect(answer.content).toBe(first?.content)
  const receipt = first?.body.message.metadata['pact.receipt']
  expect(receipt.claims.actions.map(({ tool }: { tool: string }) => tool)).toEqual([
    'list_orders',
    'cancel_order',
  ])
  expect(await checkHeldReceipt(JSON.stringify(receipt))).toMatchObject({ ok: true })
  expect(await prisma().receipt.count({ where })).toBe(1)
  expect(changesMade()).toBe(1)
  expect((await waits()).at(-1)).toEqual([true, false])
})
