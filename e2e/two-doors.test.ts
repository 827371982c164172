import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerOf, type Sample } from './harness/door-answers.ts'
import { startTestProvider, type TestProcess, type TestProvider } from './harness/provider.ts'
import { buildSendBody, signPaToken } from './harness/wire.ts'

let provider: TestProvider
let nextDoor: TestProcess
let token: string

beforeAll(async () => {
  provider = await startTestProvider()
  // The same address on the card, so that the two answers can be compared byte for byte.
  nextDoor = await provider.startProcess({ lane: false, env: { PROVIDER_URL: provider.url } })
  token = await signPaToken(provider.personalAgent)
})

afterAll(() => provider.close())

const card = '/.well-known/agent-card.json'
const json = { 'Content-Type': 'application/json' }

function samples(): Sample[] {
  const authorized = { Authorization: `Bearer ${token}` }
  const base = `/a2a/${provider.brandId}`
  const unknown = '/a2a/01KAA0B5V7S8Q0ZJ1M9T3X4WCZ'
  const send = (name: string, body: string, headers: Record<string, string> = {}) => ({
    name,
    path: `${base}/message:send`,
    method: 'POST',
    headers: { ...json, ...authorized, ...headers },
    body,
  })
  const text = (message: Record<string, unknown>) =>
    JSON.stringify(buildSendBody('hello', { messageId: 'm-1', ...message }))
  return [
    { name: 'card', path: base + card },
    { name: 'card, HEAD', path: base + card, method: 'HEAD' },
    { name: 'card, OPTIONS', path: base + card, method: 'OPTIONS', headers: { Origin: 'https://x.example' } },
    { name: 'card, POST', path: base + card, method: 'POST' },
    { name: 'card, any ETag', path: base + card, headers: { 'If-None-Match': '*' } },
    { name: 'card of an unknown Brand', path: unknown + card },
    { name: 'no token', path: `${base}/tasks` },
    { name: 'no token, HEAD', path: `${base}/tasks`, method: 'HEAD' },
    { name: 'bad token', path: `${base}/tasks`, headers: { Authorization: 'Bearer x.y.z' } },
    { name: 'bad token, unknown Brand', path: `${unknown}/tasks` },
    { name: 'unknown Brand', path: `${unknown}/tasks`, headers: authorized },
    { name: 'tasks', path: `${base}/tasks`, headers: authorized },
    { name: 'tasks, HEAD', path: `${base}/tasks`, headers: authorized, method: 'HEAD' },
    { name: 'tasks, OPTIONS', path: `${base}/tasks`, method: 'OPTIONS' },
    { name: 'tasks, PUT', path: `${base}/tasks`, headers: authorized, method: 'PUT' },
    { name: 'tasks, PATCH', path: `${base}/tasks`, headers: authorized, method: 'PATCH' },
    { name: 'pageSize', path: `${base}/tasks?pageSize=7`, headers: authorized },
    { name: 'bad pageSize', path: `${base}/tasks?pageSize=0`, headers: authorized },
    { name: 'two pageSizes', path: `${base}/tasks?pageSize=1&pageSize=2`, headers: authorized },
    { name: 'task', path: `${base}/tasks/t-1`, headers: authorized },
    { name: 'encoded task', path: `${base}/tasks/%C3%A9%20%22%3Cb%3E`, headers: authorized },
    { name: 'cancel', path: `${base}/tasks/t-1:cancel`, headers: authorized, method: 'POST' },
    { name: 'encoded colon', path: `${base}/tasks/t-1%3Acancel`, headers: authorized, method: 'POST' },
    { name: 'stream', path: `${base}/message:stream`, headers: authorized, method: 'POST' },
    { name: 'subscribe', path: `${base}/tasks/t-1:subscribe`, headers: authorized },
    { name: 'extended card', path: `${base}/extendedAgentCard`, headers: authorized },
    { name: 'push', path: `${base}/tasks/t-1/pushNotificationConfigs`, headers: authorized },
    {
      name: 'push, DELETE',
      path: `${base}/tasks/t-1/pushNotificationConfigs/c`,
      headers: authorized,
      method: 'DELETE',
    },
    { name: 'no such route', path: `${base}/nothing`, headers: authorized },
    { name: 'nothing after the Brand', path: base },
    { name: 'a slash at the end', path: `${base}/tasks/`, headers: authorized },
    { name: 'broken encoding', path: `${base}/tasks/%E0%A4%A`, headers: authorized },
    { name: 'encoded slash', path: `${base}/tasks/a%2Fb`, headers: authorized },
    { name: 'dots', path: `${base}/tasks/../tasks`, headers: authorized },
    { name: 'encoded dots', path: `${base}/tasks/%2e%2e/tasks`, headers: authorized },
    { name: 'the root', path: '/a2a/' },
    { name: 'two slashes', path: `${base}/tasks//x`, headers: authorized },
    { name: 'PROPFIND', path: `${base}/tasks`, method: 'PROPFIND', headers: authorized },
    send('not JSON', '{'),
    send('empty body', ''),
    send('no message', '{}'),
    send('wrong role', text({ role: 'ROLE_AGENT' })),
    send('no parts', text({ parts: [] })),
    send('blank text', text({ parts: [{ text: ' ' }] })),
    send('data part', text({ parts: [{ data: {} }] })),
    send('task id', text({ taskId: 't-1' })),
    send('unknown context', text({ contextId: '4f0c12e6-231e-4d92-a610-2518a0f27d20' })),
    send('too large', JSON.stringify({ padding: 'x'.repeat(300 * 1024) })),
    send('other content type', text({ taskId: 't-1' }), { 'Content-Type': 'text/plain' }),
  ]
}

describe('the protocol has two doors', () => {
  it('that answer alike: status, headers and body', async () => {
    for (const sample of samples()) {
      const [lane, next] = [await answerOf(provider.url, sample), await answerOf(nextDoor.url, sample)]
      expect({ name: sample.name, ...next }).toEqual({ name: sample.name, ...lane })
      expect(lane.status, sample.name).not.toBe(500)
    }
  })

  it('that answer HEAD like GET, without the content', async () => {
    const base = `/a2a/${provider.brandId}`
    const headers = { Authorization: `Bearer ${token}` }
    for (const path of [base + card, `${base}/tasks`, `${base}/tasks/t-1`]) {
      const get = await answerOf(provider.url, { name: path, path, headers })
      const head = await answerOf(provider.url, { name: path, path, headers, method: 'HEAD' })
      expect(head).toEqual({ ...get, body: '' })
    }
  })

  it('that hold one conversation: a context begun at one goes on at the other', async () => {
    const say = async (url: string, text: string, contextId?: string) => {
      const response = await fetch(`${url}/a2a/${provider.brandId}/message:send`, {
        method: 'POST',
        headers: { ...json, Authorization: `Bearer ${token}` },
        body: JSON.stringify(buildSendBody(text, contextId ? { contextId } : {})),
      })
      return (await response.json()).message
    }
    const first = await say(provider.url, 'my order')
    const second = await say(nextDoor.url, 'A-17', first.contextId)
    const third = await say(provider.url, 'again', first.contextId)
    expect([first, second, third].map(({ parts }) => parts[0].text)).toEqual([
      'Sure, what is the order number?',
      'Order A-17 leaves tomorrow.',
      'You asked about A-17.',
    ])
  })
})
