import { describe, expect, it } from 'vitest'
import { call, shopAgentOfThisFile } from '#e2e/harness/shop-agent.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { TraceStep } from '../agent.ts'
import { runTurn } from '../run-turn.ts'

const { api, build, lastMessages, model, run } = shopAgentOfThisFile()

describe('a turn without tools', () => {
  it('is answered in the model’s words, from the instructions, what went before and what is said', async () => {
    model.answerInTurn({ text: ' Hello Jane. \n' })
    const past = [{ text: 'Hi', reply: 'Hi there.' }]
    const outcome = await run({ text: 'My name is Jane', history: async () => past, state: { a: 1 } })
    expect(outcome).toEqual({
      reply: 'Hello Jane.',
      state: { a: 1 },
      close: false,
      actions: [],
      scopesUsed: [],
    })
    expect(lastMessages().map(({ role, content }) => [role, content])).toEqual([
      ['system', 'You are the assistant of a shop. Be brief.'],
      ['user', 'Hi'],
      ['assistant', 'Hi there.'],
      ['user', 'My name is Jane'],
    ])
  })

  it('tells what it used, and each step to whoever tries it', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { text: 'At nine.' })
    api.answerWith(() => ({ json: { open: 9 } }))
    const steps: TraceStep[] = []
    const request = turnRequest({ trace: (step) => steps.push(step) })
    await runTurn(build(), request)
    expect(request.usage).toMatchObject({
      modelCalls: 2,
      failedModelCalls: 0,
      toolCalls: 1,
      failedToolCalls: 0,
    })
    expect(request.usage.modelTime).toBeGreaterThan(0)
    expect(request.usage.toolTime).toBeGreaterThan(0)
    expect(request.usage.inputTokens).toBeGreaterThan(10)
    expect(request.usage.outputTokens).toBeGreaterThan(1)
    expect(steps).toMatchObject([
      { kind: 'model', model: 'test', text: '', calls: [{ tool: 'hours', arguments: {} }] },
      { kind: 'tool', tool: 'hours', arguments: {}, answer: { open: 9 } },
      { kind: 'model', text: 'At nine.', calls: [] },
    ])
  })

  it('brings the endpoint its key, and nobody else', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { text: 'At nine.' })
    const asked: unknown[] = []
    await run({
      secret: async (...about) => {
        asked.push(about)
        return 'sk-1'
      },
    })
    expect(asked).toEqual([['llm.apiKey', model.url]])
    expect(JSON.stringify([model.requests, api.calls])).not.toContain('sk-1')
  })
})

describe('the window', () => {
  it('is asked for as much history as fits beside all else, and for none where nothing does', async () => {
    const asked: number[] = []
    const history = async (maxBytes: number) => {
      asked.push(maxBytes)
      return []
    }
    model.answerInTurn({ text: 'Yes.' })
    await run({ history }, { contextTokens: 8_000, maxOutputTokens: 1_000 })
    await run({ history, text: 'x'.repeat(10_000) }, { contextTokens: 8_000, maxOutputTokens: 1_000 })
    await run({ history }, { contextTokens: 8_000, maxOutputTokens: 8_000 })
    const [much = 0, less = 0, ...none] = asked
    expect(much).toBeGreaterThan(17_000)
    expect(much).toBeLessThan(21_000)
    expect(much - less).toBe(10_000 - 'Hello'.length)
    expect(none).toEqual([])
    expect(lastMessages().map(({ role }) => role)).toEqual(['system', 'user'])
  })
})
