import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from './harness/document-host.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { buildTestProvision } from './harness/provision.ts'
import { sendText, signPaToken } from './harness/wire.ts'

/** The agent's time limit, and how long a turn of it keeps others waiting: five seconds more, for settling. */
const TIME_LIMIT = 2_000
const TURN_TIME = TIME_LIMIT + 5_000

let brandApi: DocumentHost
let provider: TestProvider
let second: { url: string }
let token: string
let apiReached: Promise<void>

beforeAll(async () => {
  brandApi = await startDocumentHost()
  apiReached = new Promise((resolve) => {
    // The Brand's API takes the call, and never answers it.
    brandApi.answer('/stock', () => resolve())
  })
  provider = await startTestProvider({
    provision(personalAgents) {
      const { brands, ...rest } = buildTestProvision(personalAgents)
      const request = { method: 'GET', url: `${brandApi.origin}/stock` }
      const rule = {
        when: { words: ['stock'] },
        call: [{ tool: 'look_up_stock', as: 'stock' }],
        reply: 'Yes.',
      }
      const tools = [{ name: 'look_up_stock', description: 'What is in stock.', request }]
      const withTool = brands.map((brand) => ({
        ...brand,
        agent: {
          ...brand.agent,
          timeLimitSeconds: TIME_LIMIT / 1000,
          tools,
          rules: [rule, ...brand.agent.rules],
        },
      }))
      return { ...rest, brands: withTool }
    },
  })
  second = await provider.startProcess()
  token = await signPaToken(provider.personalAgent)
})

afterAll(async () => {
  await provider.close()
  await brandApi.close()
})

const interfaceOf = (process: { url: string }) => `${process.url}/a2a/${provider.brandId}`

describe('a process killed in the middle of a turn, seen from another', () => {
  it('leaves a message that never runs again, and a conversation that goes on after the turn’s time', async () => {
    const { body } = await sendText(interfaceOf(provider), token, 'hello')
    const contextId = body.message?.contextId
    const cut = { contextId, messageId: randomUUID() }
    const lost = sendText(interfaceOf(provider), token, 'Is it in stock?', cut).catch(() => 'no answer')
    await apiReached
    const killedAt = performance.now()
    provider.child.kill('SIGKILL')
    expect(await lost).toBe('no answer')

    const retry = async () => {
      const { status, body } = await sendText(interfaceOf(second), token, 'Is it in stock?', cut)
      return [status, body.error?.details[0]?.reason]
    }
    expect(await retry()).toEqual([400, 'INVALID_PARAMS'])
    expect(performance.now() - killedAt, 'a retry does not wait for the turn').toBeLessThan(TIME_LIMIT)

    const later = { contextId, messageId: randomUUID() }
    const early = await sendText(interfaceOf(second), token, 'again', later)
    expect(early.status, 'while the lost turn’s time runs').toBe(429)
    let answer = early
    while (answer.status !== 200 && performance.now() - killedAt < 2 * TURN_TIME) {
      await sleep(100)
      answer = await sendText(interfaceOf(second), token, 'hello', later)
    }
    expect(answer.body.message?.parts[0]?.text).toBe('You said: hello')
    const waited = performance.now() - killedAt
    expect(waited).toBeGreaterThan(TURN_TIME - 1_000)
    expect(waited).toBeLessThan(TURN_TIME + 2_000)

    expect(await retry()).toEqual([400, 'INVALID_PARAMS'])
    expect(brandApi.hits('/stock')).toBe(1)
  })
})
