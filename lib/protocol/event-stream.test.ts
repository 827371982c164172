import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { a2aJson, badDelegationToken } from './answers.ts'
import { eventStream, KEEP_ALIVE_TIME } from './event-stream.ts'

const KEEP_ALIVE = ': keep-alive\n\n'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A stream of an answer that is made later, and what has come of it so far. */
function open() {
  const answer = Promise.withResolvers<Response>()
  const response = eventStream(answer.promise)
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (!reader) throw new Error('no body')
  const read: string[] = []
  const ended = (async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) read.push(chunk.value)
  })()
  return { answer, headers: response.headers, reader, read, ended }
}

describe('an answer as server-sent events', () => {
  it('says at once that it is to come, and again every ten seconds', async () => {
    const { answer, read, ended } = open()
    await sleep(1)
    expect(read).toEqual([KEEP_ALIVE])
    vi.advanceTimersByTime(3 * KEEP_ALIVE_TIME)
    await sleep(1)
    expect(KEEP_ALIVE_TIME).toBe(10_000)
    expect(read).toEqual(Array(4).fill(KEEP_ALIVE))
    answer.resolve(a2aJson({ message: {} }))
    await ended
    expect(read.at(-1)).toBe('data: {"message":{}}\n\n')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends with one event, on one line whatever it says', async () => {
    const { answer, read, ended } = open()
    const body = { message: { parts: [{ text: 'a\nb\r\nc\u2028d\n\ndata: e' }] } }
    answer.resolve(a2aJson(body))
    await ended
    expect(read.join('')).toBe(`${KEEP_ALIVE}data: ${JSON.stringify(body)}\n\n`)
  })

  it('gives an error the type "error", and one without a body a form without a reason', async () => {
    for (const [response, data] of [
      [a2aJson({ error: { code: 500 } }, 500), '{"error":{"code":500}}'],
      [
        badDelegationToken(),
        '{"error":{"code":401,"status":"UNAUTHENTICATED","message":"The delegation token is no longer valid"}}',
      ],
    ] as const) {
      const { answer, read, ended } = open()
      answer.resolve(response)
      await ended
      expect(read.join('')).toBe(`${KEEP_ALIVE}event: error\ndata: ${data}\n\n`)
    }
  })

  it('is neither stored, packed nor held back on its way', () => {
    expect(Object.fromEntries(open().headers)).toEqual({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    })
  })

  it('stops when the caller leaves, and the answer comes to nobody', async () => {
    const { answer, reader, read } = open()
    await sleep(1)
    await reader.cancel()
    expect(vi.getTimerCount()).toBe(0)
    answer.resolve(a2aJson({ message: {} }))
    await sleep(1)
    expect(read).toEqual([KEEP_ALIVE])
  })
})
