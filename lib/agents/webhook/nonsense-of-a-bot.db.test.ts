import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { BotReply } from '#e2e/harness/bot.ts'
import { answerByBot, botOfThisFile } from '#e2e/harness/bot-brand.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { setClock } from '#lib/platform/clock.ts'
import { prisma } from '#lib/platform/database.ts'
import { BROKEN_OFF_TEXT } from '../fixed-texts.ts'
import { hashArguments } from '../tools/arguments-hash.ts'

const sender = delegatedSenderOfThisFile()
const bot = botOfThisFile()

const text = (content: string | Buffer, status = 200, headers = {}) => {
  return (response: ServerResponse) => response.writeHead(status, headers).end(content)
}
const json = (content: unknown) => text(JSON.stringify(content), 200, { 'Content-Type': 'application/json' })

/** Bytes without end, or until nobody takes them. */
function pour(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, ' ')
  response.writeHead(200, { 'Content-Length': 50 * piece.length })
  const more = (left: number) => {
    if (left > 0 && !response.destroyed) response.write(piece, () => more(left - 1))
  }
  more(50)
}

const nonsense: [string, BotReply][] = [
  ['no JSON', text('hello')],
  ['half of a JSON text', text('{"reply": "Hel')],
  ['a page', text('<!doctype html><p>It works</p>', 200, { 'Content-Type': 'text/html' })],
  ['nothing', text('')],
  ['204', text('', 204)],
  ['201 with an answer', text('{"reply":"Hello"}', 201)],
  ['404', text('{"reply":"Hello"}', 404)],
  ['500', text('{"reply":"Hello"}', 500)],
  ['a redirect', text('', 302, { Location: '/elsewhere' })],
  ['a compressed answer', text(gzipSync('{"reply":"Hello"}'), 200, { 'Content-Encoding': 'gzip' })],
  ['50 MB', pour],
  ['more than 64 KiB', json({ reply: 'Hello', state: { a: 'x'.repeat(70_000) } })],
  ['bytes that are not UTF-8', text(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))],
  ['a list', json(['Hello'])],
  ['null', json(null)],
  ['an empty object', json({})],
  ['a number as reply', json({ reply: 7 })],
  ['a blank reply', json({ reply: ' \n' })],
  ['a lone surrogate in the reply', text('{"reply":"\\ud800"}')],
  ['a member that is not known', json({ reply: 'Hello', missingScope: 'orders:read' })],
  ['a reply and missing scopes', json({ reply: 'Hello', missingScopes: ['orders:cancel'] })],
  ['no missing scope', json({ missingScopes: [], text: 'Hello' })],
  ['a missing scope that the token has', json({ missingScopes: ['orders:read'], text: 'Hello' })],
  ['a missing scope that does not exist', json({ missingScopes: ['orders:fly'], text: 'Hello' })],
  ['missing scopes with a blank text', json({ missingScopes: ['orders:cancel'], text: '' })],
  ['a scope that the token lacks', json({ reply: 'Hello', scopesUsed: ['orders:cancel'] })],
  ['a scope that does not exist', json({ reply: 'Hello', scopesUsed: ['orders:fly'] })],
  ['a wrong close', json({ reply: 'Hello', close: 'yes' })],
  ['a state that is a text', json({ reply: 'Hello', state: 'asked' })],
  ['a state within the state', json({ reply: 'Hello', state: { a: { b: 1 } } })],
  ['a state that is too large', json({ reply: 'Hello', state: { a: 'x'.repeat(1_001) } })],
  ['U+0000 in the state', json({ reply: 'Hello', state: { a: '\u0000' } })],
  ['actions that are none', json({ reply: 'Hello', actions: ['cancel_order'] })],
  ['an action without a name', json({ reply: 'Hello', actions: [{ tool: ' ' }] })],
  ['an action that misleads', json({ reply: 'Hello', actions: [{ tool: 'a\u202eb' }] })],
  ['U+0000 in an action', json({ reply: 'Hello', actions: [{ tool: 'a\u0000' }] })],
  ['an action with two arguments', json({ reply: 'H', actions: [{ tool: 'a', args: {}, argsHash: 'x' }] })],
  ['a hash that is none', json({ reply: 'Hello', actions: [{ tool: 'a', argsHash: 'abc' }] })],
  ['arguments without a form', text('{"reply":"H","actions":[{"tool":"a","args":{"b":"\\ud800"}}]}')],
  ['too many actions', json({ reply: 'Hello', actions: Array(51).fill({ tool: 'a' }) })],
  ['deep nesting', text(`{"reply":"H","actions":[{"tool":"a","args":{"b":${'['.repeat(30_000)}`)],
  ['the prototype', text('{"__proto__":{"reply":"Hello"}}')],
]

describe('a bot that answers nonsense', () => {
  it.each(nonsense)('%s: the turn fails, and nothing is stored or done twice', async (_, answer) => {
    const { subject, token, grantId } = await sender.allow('orders:read')
    const { contextId } = (await sender.send('hello', { subject, token })).body.message
    bot.calls.length = 0
    bot.answerWith(() => answer)
    const sent = { subject, token, message: { contextId, messageId: 'm-2' } }
    const failed = await sender.send('my orders', sent)
    expect([failed.status, failed.body.error.details[0].reason]).toEqual([500, 'INTERNAL'])
    bot.answerWith(({ json: { state } }) => ({ reply: `State: ${JSON.stringify(state)}` }))
    const again = await sender.send('my orders', sent)
    expect([again.status, again.body.error.details[0].reason]).toEqual([400, 'INVALID_PARAMS'])
    expect(bot.calls).toHaveLength(1)
    const next = await sender.send('my orders', { subject, token, message: { contextId } })
    expect(next.body.message.parts).toEqual([{ text: 'State: {}' }])
    expect(await prisma().receipt.count({ where: { brandId: BRAND_ID, grantId } })).toBe(2)
  })

  it.each([
    ['too long a reply', 'é'.repeat(20_000), 'é'.repeat(16_384)],
    ['U+0000 in the reply', 'a\u0000b', 'ab'],
  ])('%s is cut off, as it is of every agent', async (_, reply, sent) => {
    bot.answerWith(() => ({ reply }))
    const { body } = await sender.send('hello', { subject: randomUUID() })
    expect(body.message.parts).toEqual([{ text: sent }])
  })

  it('too late: the turn ends at its time limit, and what comes later counts for nothing', async () => {
    const subject = randomUUID()
    const { contextId } = (await sender.send('hello', { subject })).body.message
    bot.answerWith(async () => {
      await sleep(1_300)
      return { reply: 'Late', state: { late: true } }
    })
    const sent = { subject, message: { contextId, messageId: 'm-2' } }
    const startedAt = performance.now()
    expect((await sender.send('slow', sent)).status).toBe(500)
    expect(performance.now() - startedAt).toBeLessThan(1_250)
    await sleep(500)
    expect((await sender.send('slow', sent)).status).toBe(400)
    bot.answerWith(({ json: { state } }) => ({ reply: `State: ${JSON.stringify(state)}` }))
    const next = await sender.send('next', { subject, message: { contextId } })
    expect(next.body.message.parts).toEqual([{ text: 'State: {}' }])
  })
})

const done = { actions: [{ tool: 'refund', args: { number: 'A-1' } }], scopesUsed: ['orders:read'] }

describe('a bot that has done something, and says so in an answer that is unusable otherwise', () => {
  it.each([
    ['a blank reply', { reply: ' ' }],
    ['no reply', {}],
    ['nothing but U+0000 in the reply', { reply: '\u0000' }],
    ['a member that is not known', { reply: 'Done.', refunded: true }],
    ['a state within the state', { reply: 'Done.', state: { a: { b: 1 } } }],
    ['a state that is too large', { reply: 'Done.', state: { a: 'x'.repeat(1_001) } }],
    ['a missing scope that does not exist', { missingScopes: ['orders:fly'], text: 'May I?' }],
    ['a missing scope that the token has', { missingScopes: ['orders:read'], text: 'May I?' }],
    ['missing scopes with a blank text', { missingScopes: ['orders:cancel'], text: '' }],
    ['a scope that the token lacks', { reply: 'Done.', scopesUsed: ['orders:read', 'orders:cancel'] }],
  ])('%s: the User is told that it began, and the receipt what was done', async (_, answer) => {
    const { subject, token } = await sender.allow('orders:read')
    bot.answerWith(() => ({ ...done, ...answer }))
    const sent = { subject, token, message: { messageId: 'm-1' } }
    const { status, body } = await sender.send('refund A-1', sent)
    expect([status, body.message?.parts]).toEqual([200, [{ text: BROKEN_OFF_TEXT }]])
    expect(body.message.metadata['pact.receipt'].claims).toMatchObject({
      actions: [{ tool: 'refund', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:read'],
    })
    const { contextId } = body.message
    const again = await sender.send('refund A-1', { ...sent, message: { ...sent.message, contextId } })
    expect(again.body.message).toEqual(body.message)
    expect(bot.calls).toHaveLength(1)
  })
})

const hangUp = (response: ServerResponse) => response.socket?.destroy()

describe('a bot that can’t be reached', () => {
  it('is asked again while it has not begun to answer, under the same key, at most twice', async () => {
    bot.answerWith(() => (bot.calls.length < 3 ? hangUp : { reply: 'Here I am.' }))
    const { body } = await sender.send('hello', { subject: randomUUID() })
    expect(body.message.parts).toEqual([{ text: 'Here I am.' }])
    expect(bot.calls).toHaveLength(3)
    expect(new Set(bot.calls.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    bot.calls.length = 0
    bot.answerWith(() => hangUp)
    expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(500)
    expect(bot.calls).toHaveLength(3)
  })

  it('is not asked again once it has begun to answer', async () => {
    bot.answerWith(() => (response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"reply":')
      setTimeout(() => hangUp(response), 50)
    })
    expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(500)
    expect(bot.calls).toHaveLength(1)
  })

  it('because nothing listens there, fails the turn at once', async () => {
    await answerByBot({ url: 'http://localhost:9/turn' })
    expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(500)
  })
})

describe('a bot that has failed five turns in a row', () => {
  let url: string
  beforeEach(async () => {
    url = `${bot.url}/${randomUUID()}`
    await answerByBot({ url })
    setClock(() => Date.now())
  })
  afterEach(() => {
    vi.useRealTimers()
    setClock()
  })

  const failTurns = async (count: number) => {
    bot.answerWith(() => text('', 500))
    for (let turn = 0; turn < count; turn += 1)
      expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(500)
  }

  it('is left alone for 30 s; then one turn tries it', async () => {
    await failTurns(5)
    expect(bot.calls).toHaveLength(5)
    await failTurns(2)
    expect(bot.calls).toHaveLength(5)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30_001 })
    await failTurns(1)
    expect(bot.calls).toHaveLength(6)
    await failTurns(1)
    expect(bot.calls).toHaveLength(6)
    vi.setSystemTime(Date.now() + 30_001)
    bot.answerWith(() => ({ reply: 'I am back.' }))
    for (const count of [7, 8]) {
      const { body } = await sender.send('hello', { subject: randomUUID() })
      expect(body.message.parts).toEqual([{ text: 'I am back.' }])
      expect(bot.calls).toHaveLength(count)
    }
  })

  it('is asked at its new address at once', async () => {
    await failTurns(6)
    expect(bot.calls).toHaveLength(5)
    await answerByBot({ url: `${bot.url}/${randomUUID()}` })
    bot.answerWith(() => ({ reply: 'I have moved.' }))
    expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(200)
  })

  it.each([
    ['422', text('', 422)],
    ['413', text('', 413)],
    ['no JSON', text('hello')],
    ['too much', pour],
    ['a redirect', text('', 302, { Location: '/elsewhere' })],
  ])('is not left alone for what one caller’s messages come to: %s', async (_, answer) => {
    bot.answerWith(() => answer)
    for (let turn = 0; turn < 6; turn += 1)
      expect((await sender.send('poison', { subject: randomUUID() })).status).toBe(500)
    bot.answerWith(() => ({ reply: 'Here.' }))
    expect((await sender.send('hello', { subject: randomUUID() })).status).toBe(200)
  })

  it('counts from the start after an answer', async () => {
    await failTurns(4)
    bot.answerWith(() => ({ reply: 'Here.' }))
    await sender.send('hello', { subject: randomUUID() })
    await failTurns(4)
    expect(bot.calls).toHaveLength(9)
  })
})
