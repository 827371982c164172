import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProvider, type TestProcess, type TestProvider } from './harness/provider.ts'
import { buildSendBody, sendText, signPaToken } from './harness/wire.ts'

let provider: TestProvider
let second: TestProcess
let token: string

beforeAll(async () => {
  provider = await startTestProvider()
  second = await provider.startProcess()
  token = await signPaToken(provider.personalAgent)
})

afterAll(() => provider.close())

const interfaceOf = (process: { url: string }) => `${process.url}/a2a/${provider.brandId}`

describe('two processes on one database', () => {
  it('run the turns of one context one at a time, and lose none', async () => {
    const { body } = await sendText(interfaceOf(provider), token, 'hello')
    const contextId = body.message?.contextId
    const startedAt = performance.now()
    const answers = await Promise.all(
      [provider, second, provider].map((process) =>
        sendText(interfaceOf(process), token, 'slow', { contextId }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    // Three turns of a second each, one after the other.
    expect(performance.now() - startedAt).toBeGreaterThan(2_900)
  })

  it('run a message once when both get it at the same moment (§4.3)', async () => {
    const { body } = await sendText(interfaceOf(provider), token, 'hello')
    const contextId = body.message?.contextId
    for (let round = 0; round < 20; round++) {
      const messageId = `same-${round}`
      const answers = await Promise.all(
        [provider, second, provider, second].map((process) =>
          sendText(interfaceOf(process), token, 'hello', { contextId, messageId }),
        ),
      )
      const replies = new Set(answers.flatMap(({ body }) => body.message?.messageId ?? []))
      expect(replies.size).toBe(1)
      for (const { status, body } of answers) {
        if (status !== 200) expect(body.error?.details[0]?.reason).toBe('INVALID_PARAMS')
      }
    }
  })

  it('both refuse a personal agent within a second of its being disabled, and take it back as soon', async () => {
    const agent = provider.otherPersonalAgent
    const token = await signPaToken(agent)
    const status = async (process: { url: string }) =>
      (
        await fetch(`${interfaceOf(process)}/message:send`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}` },
          body: JSON.stringify(buildSendBody('hello')),
        })
      ).status
    const statusesAfter = async (milliseconds: number) => {
      const until = performance.now() + milliseconds
      // Asked all the while: nothing that a busy process remembers may outlast the change.
      while (performance.now() < until) await Promise.all([status(provider), status(second)])
      return Promise.all([status(provider), status(second)])
    }
    expect(await statusesAfter(300)).toEqual([200, 200])
    await provider.pact('pa', 'disable', agent.issuer)
    expect(await statusesAfter(1_000)).toEqual([401, 401])
    await provider.pact('pa', 'enable', agent.issuer)
    expect(await statusesAfter(1_000)).toEqual([200, 200])
  })
})
