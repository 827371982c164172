import { randomUUID } from 'node:crypto'
import type { Client } from '@a2a-js/sdk/client'
import { RequestMalformedError, TaskNotFoundError } from '@a2a-js/sdk/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseEventStream } from './conformance/event-stream.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { connect, say, textOf } from './harness/sdk-client.ts'
import { buildSendBody, sendText, signPaToken } from './harness/wire.ts'

let provider: TestProvider
let doors: { name: string; url: string; logLines: string[] }[]
let token: string

/** Longer than the ten seconds between two comments. */
const patience = { when: { words: ['patience'] }, delaySeconds: 10.5, reply: 'Thank you for waiting.' }

beforeAll(async () => {
  provider = await startTestProvider({
    provision(personalAgents) {
      const { brands, ...rest } = buildOrderAgentProvision(personalAgents, { api: 'http://localhost:9' })
      const [first, ...others] = brands.map((brand) => ({ ...brand, conversation: { streaming: true } }))
      if (!first) throw new Error('no Brand')
      const agent = { ...first.agent, timeLimitSeconds: 12, rules: [patience, ...first.agent.rules] }
      return { ...rest, brands: [{ ...first, agent }, ...others] }
    },
  })
  const next = await provider.startProcess({ lane: false, env: { PROVIDER_URL: provider.url } })
  doors = [
    { name: 'the lane', url: provider.url, logLines: provider.logLines },
    { name: 'Next’s door', url: next.url, logLines: next.logLines },
  ]
  token = await signPaToken(provider.personalAgent)
})

afterAll(() => provider?.close())

function stream(url: string, text: string, message: Record<string, unknown> = {}): Promise<Response> {
  return fetch(`${url}/a2a/${provider.brandId}/message:stream`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
      'Accept-Encoding': 'gzip, br',
    },
    body: JSON.stringify(buildSendBody(text, message)),
  })
}

/** Everything of an answer that is not of this one request. */
async function answerOf(response: Response) {
  const perRequest = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'vary']
  const headers = [...response.headers].filter(([name]) => ![...perRequest, 'x-request-id'].includes(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}

/** The pieces of a body, each with the time at which it came, in milliseconds after the request. */
async function readPieces(url: string, text: string) {
  const startedAt = performance.now()
  const response = await stream(url, text)
  const pieces: { after: number; text: string }[] = []
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
    pieces.push({ after: performance.now() - startedAt, text: piece })
  return pieces
}

describe('message:stream through either door', () => {
  it('answers alike: a stored reply, and what is refused', async () => {
    const messageId = randomUUID()
    const first = await answerOf(await stream(provider.url, 'hello', { messageId }))
    expect(first).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    })
    const { contextId } = JSON.parse(parseEventStream(first.body).events[0]?.data ?? '').message
    for (const { name, url } of doors) {
      const again = await answerOf(await stream(url, 'hello', { messageId, contextId }))
      expect(again, name).toEqual(first)
    }
    const refused = [{ contextId: randomUUID() }, { taskId: 't-1' }, { parts: [] }, { role: 'ROLE_AGENT' }]
    for (const message of refused) {
      const [lane, next] = await Promise.all(
        doors.map(async ({ url }) => answerOf(await stream(url, 'hello', message))),
      )
      expect(next).toEqual(lane)
      expect(lane?.headers['content-type']).toBe('application/a2a+json')
    }
  })

  it('keeps a long turn’s connection alive, from its first moment on', async () => {
    const answers = await Promise.all(doors.map(({ url }) => readPieces(url, 'patience')))
    for (const [index, pieces] of answers.entries()) {
      const { name = '' } = doors[index] ?? {}
      expect(pieces[0]?.text, name).toBe(': keep-alive\n\n')
      expect(pieces[0]?.after, name).toBeLessThan(5_000)
      const { events, comments } = parseEventStream(pieces.map(({ text }) => text).join(''))
      expect(comments, name).toEqual(['keep-alive', 'keep-alive'])
      expect(events, name).toHaveLength(1)
      expect(JSON.parse(events[0]?.data ?? '').message.parts, name).toEqual([
        { text: 'Thank you for waiting.' },
      ])
      expect(pieces.at(-1)?.after, name).toBeGreaterThan(10_000)
    }
  }, 30_000)

  it('goes on with the turn when the caller leaves, and logs the request once it has ended', async () => {
    for (const { name, url, logLines } of doors) {
      const interfaceUrl = `${url}/a2a/${provider.brandId}`
      const { contextId } = (await sendText(interfaceUrl, token, 'hello')).body.message ?? {}
      const message = { contextId, messageId: randomUUID() }
      const response = await stream(url, 'slow', message)
      const requestId = response.headers.get('x-request-id') ?? ''
      await response.body?.cancel()
      const logged = () => logLines.filter((line) => line.includes(requestId)).map((line) => JSON.parse(line))
      expect(logged(), name).toEqual([])
      await expect.poll(logged, { timeout: 5_000 }).toHaveLength(1)
      expect(logged()[0]).toMatchObject({ operation: 'streamMessage', status: 200 })
      expect(logged()[0].ms, name).toBeGreaterThan(900)
      const again = await sendText(interfaceUrl, token, 'slow', message)
      expect(again.body.message?.parts, name).toEqual([{ text: 'That took a while.' }])
    }
  })
})

describe('@a2a-js/sdk’s client, against a card that offers streaming', () => {
  let client: Client
  const isStream = (line: string) => line.includes('"operation":"streamMessage"')

  beforeAll(async () => {
    client = await connect(provider)
  })

  async function events(request: Parameters<Client['sendMessageStream']>[0], from = client) {
    const payloads = []
    for await (const { payload } of from.sendMessageStream(request)) payloads.push(payload)
    return payloads
  }

  it('gets the reply as the stream’s one message', async () => {
    const streams = provider.logLines.filter(isStream).length
    const [payload, ...more] = await events(say('my order, please wait'))
    expect(more).toEqual([])
    if (payload?.$case !== 'message') return expect.fail(`a message; got ${payload?.$case}`)
    expect(textOf(payload.value)).toBe('Sure, what is the order number?')
    await expect.poll(() => provider.logLines.filter(isStream).length).toBeGreaterThan(streams)
  })

  it('gets step-up as the stream’s one task (§5.5)', async () => {
    const [payload, ...more] = await events(say('my orders'))
    expect(more).toEqual([])
    if (payload?.$case !== 'task') return expect.fail(`a task; got ${payload?.$case}`)
    expect(payload.value.metadata).toMatchObject({ 'pact.missingScopes': ['orders:read'] })
  })

  it('sees an error before the turn as its own type, and one in the turn as the error that it is', async () => {
    await expect(events(say('hello', randomUUID()))).rejects.toBeInstanceOf(RequestMalformedError)
    const other = await connect({ ...provider, brandId: provider.otherBrandId })
    await expect(events(say('stuck'), other)).rejects.toMatchObject({ message: 'Internal error' })
  })

  it('finds no task to subscribe to', async () => {
    const subscription = client.resubscribeTask({ tenant: '', id: 'none' })
    await expect(subscription.next()).rejects.toBeInstanceOf(TaskNotFoundError)
  })
})
