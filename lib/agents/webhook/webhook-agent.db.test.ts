import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, generateKeyPair } from 'jose'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { answerByBot, botOfThisFile } from '#e2e/harness/bot-brand.ts'
import { BRAND_USER } from '#e2e/harness/delegated-sender.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { verifyCall } from '#examples/bot/verify-call.ts'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { prisma } from '#lib/platform/database.ts'
import { handle } from '#lib/protocol/handle.ts'
import { hashArguments } from '../tools/arguments-hash.ts'

const sender = delegatedSenderOfThisFile()
const bot = botOfThisFile()
const { send, allow } = sender

const keys = async () => createLocalJWKSet(await publishedJwks(BRAND_ID))

describe('a Brand’s own bot', () => {
  it('is posted the turn, and its answer is the reply', async () => {
    const subject = randomUUID()
    const { status, body } = await send('hello', { subject, message: { messageId: 'm-1' } })
    expect([status, body.message.parts]).toEqual([200, [{ text: 'Bot: hello' }]])
    expect(bot.calls.map(({ json }) => json)).toEqual([
      {
        brand: interfaceUrl(BRAND_ID),
        caller: { issuer: sender.agent.issuer, name: 'first', subject },
        contextId: body.message.contextId,
        messageId: 'm-1',
        text: 'hello',
        state: {},
        access: null,
      },
    ])
  })

  it('gets the conversation so far where the Brand says so', async () => {
    await answerByBot({ url: bot.url, history: 'full' })
    const subject = randomUUID()
    const { contextId } = (await send('one', { subject })).body.message
    await send('two', { subject, message: { contextId } })
    await send('three', { subject, message: { contextId } })
    expect(bot.calls.map(({ json }) => json.history)).toEqual([
      [],
      [{ text: 'one', reply: 'Bot: one' }],
      [
        { text: 'one', reply: 'Bot: one' },
        { text: 'two', reply: 'Bot: two' },
      ],
    ])
  })

  it('remembers what it says it does, and may end the conversation', async () => {
    const subject = randomUUID()
    bot.answerWith(() => ({ reply: 'Which?', state: { step: 'number', tries: 1, sure: false } }))
    const { contextId } = (await send('one', { subject })).body.message
    bot.answerWith(() => ({ reply: 'Still which?' }))
    await send('two', { subject, message: { contextId } })
    bot.answerWith(() => ({ reply: 'Bye.', close: true, state: {} }))
    await send('three', { subject, message: { contextId } })
    const state = { step: 'number', tries: 1, sure: false }
    expect(bot.calls.map(({ json }) => json.state)).toEqual([{}, state, state])
    const late = await send('four', { subject, message: { contextId } })
    expect([late.status, late.body.error.details[0].reason]).toEqual([400, 'UNSUPPORTED_OPERATION'])
  })
})

describe('a call of the bot', () => {
  it('is signed with the Brand’s published key: the verifier of examples/bot takes it', async () => {
    await send('héllo ✓', { subject: randomUUID() })
    const [call] = bot.calls
    const signature = String(call?.headers['pact-signature'])
    const body = new Uint8Array(call?.body ?? [])
    const id = await verifyCall(signature, body, bot.url, await keys())
    expect(id).toBe(call?.headers['idempotency-key'])
    const now = Math.floor(Date.now() / 1000)
    const said = decodeProtectedHeader({ protected: signature.split('.')[0] as string })
    expect(said).toEqual({
      alg: 'ES256',
      kid: (await publishedJwks(BRAND_ID)).keys[0]?.kid,
      typ: 'pact-webhook+jws',
      b64: false,
      crit: ['b64'],
      url: bot.url,
      iat: expect.any(Number),
      exp: Number(said.iat) + 60,
      jti: id,
    })
    expect(Math.abs(Number(said.iat) - now)).toBeLessThan(5)
  })

  it('proves nothing at another URL, later, with another body, or by another Brand’s key', async () => {
    await send('hello', { subject: randomUUID() })
    const [call] = bot.calls
    const signature = String(call?.headers['pact-signature'])
    const body = new Uint8Array(call?.body ?? [])
    const own = await keys()
    await expect(verifyCall(signature, body, `${bot.url}/`, own)).rejects.toThrow()
    await expect(verifyCall(signature, new Uint8Array([...body, 32]), bot.url, own)).rejects.toThrow()
    await expect(verifyCall('', body, bot.url, own)).rejects.toThrow()
    const { publicKey } = await generateKeyPair('ES256')
    await expect(verifyCall(signature, body, bot.url, async () => publicKey)).rejects.toThrow()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    await expect(verifyCall(signature, body, bot.url, own)).rejects.toThrow()
  })
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a Brand without delegation', () => {
  const get = async (path: string) => {
    const response = await handle(new Request(`${interfaceUrl(OTHER_BRAND_ID)}/${path}`))
    return { status: response.status, body: await response.text() }
  }

  it('has a key and publishes it once its agent is a bot, and its card is signed', async () => {
    expect((await get('oauth/jwks.json')).status).toBe(404)
    expect(JSON.parse((await get('.well-known/agent-card.json')).body).signatures).toBeUndefined()
    await answerByBot({ url: bot.url }, OTHER_BRAND_ID)
    const { body } = await send('hello', { subject: randomUUID(), brandId: OTHER_BRAND_ID })
    expect(body.message.parts).toEqual([{ text: 'Bot: hello' }])
    const [call] = bot.calls
    const published = createLocalJWKSet(JSON.parse((await get('oauth/jwks.json')).body))
    const signature = String(call?.headers['pact-signature'])
    await verifyCall(signature, new Uint8Array(call?.body ?? []), bot.url, published)
    expect(JSON.parse((await get('.well-known/agent-card.json')).body).signatures).not.toEqual([])
    for (const path of ['oauth/token', 'oauth/device_authorization'])
      expect((await get(path)).status).toBe(405)
    expect((await get('oauth/.well-known/oauth-authorization-server')).status).toBe(404)
  })
})

describe('a bot under a delegation token', () => {
  it('§5.5: gets the User, the scopes and the token; §5.6: what it says it did is in the receipt', async () => {
    const { subject, token } = await allow('orders:read', 'orders:cancel')
    bot.answerWith(() => ({
      reply: 'A-1 is cancelled.',
      actions: [
        { tool: 'list_orders' },
        { tool: 'cancel_order', args: { number: 'A-1', refund: true } },
        { tool: 'note', argsHash: 'x'.repeat(43) },
      ],
      scopesUsed: ['orders:read', 'orders:cancel', 'orders:read'],
    }))
    const { body } = await send('cancel A-1', { subject, token })
    expect(bot.calls[0]?.json.access).toEqual({
      brandUserId: BRAND_USER,
      scopes: ['orders:read', 'orders:cancel'],
      token,
    })
    expect(body.message.metadata['pact.receipt'].claims).toMatchObject({
      user: BRAND_USER,
      actions: [
        { tool: 'list_orders' },
        { tool: 'cancel_order', argsHash: hashArguments({ number: 'A-1', refund: true }) },
        { tool: 'note', argsHash: 'x'.repeat(43) },
      ],
      scopesUsed: ['orders:read', 'orders:cancel'],
    })
  })

  it('may miss scopes: the turn ends in step-up, and the same message runs again with the new token', async () => {
    const { subject, token, grantId } = await allow('orders:read')
    bot.answerWith(({ json }) =>
      json.access?.scopes.includes('orders:cancel')
        ? { reply: 'Done.', actions: [{ tool: 'cancel_order' }], scopesUsed: ['orders:cancel'] }
        : { missingScopes: ['orders:read', 'orders:cancel'], text: 'May I cancel orders?' },
    )
    const message = { messageId: 'm-1' }
    const { body } = await send('cancel A-1', { subject, token, message })
    expect(body.task).toMatchObject({
      status: {
        state: 'TASK_STATE_AUTH_REQUIRED',
        message: { parts: [{ text: 'May I cancel orders?' }] },
      },
      metadata: { 'pact.missingScopes': ['orders:cancel'] },
    })
    const { contextId } = body.task
    const scopes = ['orders:read', 'orders:cancel']
    await prisma().grant.update({ where: { id: grantId, brandId: BRAND_ID }, data: { scopes } })
    const more = await sender.tokenFor(grantId, scopes)
    const again = await send('cancel A-1', { subject, token: more, message: { ...message, contextId } })
    expect(again.body.message.parts).toEqual([{ text: 'Done.' }])
    const ids = bot.calls.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(ids).size).toBe(2)
  })

  it('that did something before it missed a scope says so in the step-up’s receipt', async () => {
    const { subject, token } = await allow('orders:read')
    bot.answerWith(() => ({
      missingScopes: ['orders:cancel'],
      text: 'May I cancel it?',
      actions: [{ tool: 'list_orders' }],
      scopesUsed: ['orders:read'],
    }))
    const { body } = await send('cancel A-1', { subject, token })
    expect(body.task.metadata['pact.receipt'].claims).toMatchObject({
      actions: [{ tool: 'list_orders' }],
      scopesUsed: ['orders:read'],
    })
  })

  it('under §3 can miss scopes too, and can’t have used any', async () => {
    bot.answerWith(() => ({ missingScopes: ['orders:read'], text: 'May I look?' }))
    const { body } = await send('my orders', { subject: randomUUID() })
    expect(body.task.metadata).toMatchObject({ 'pact.missingScopes': ['orders:read'] })
    bot.answerWith(() => ({ reply: 'Looked.', scopesUsed: ['orders:read'] }))
    expect((await send('my orders', { subject: randomUUID() })).status).toBe(500)
  })
})
