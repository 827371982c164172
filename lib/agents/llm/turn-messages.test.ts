import { beforeEach, expect, it } from 'vitest'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { ChatRequest } from '#examples/model/chat.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

const { api, model } = modelAndApiOfThisFile()
beforeEach(() => {
  api.answerWith(() => ({ json: { text: 'x'.repeat(50_000) } }))
})

const CONTEXT = 8_000
const WRITTEN = 500

function run(contextTokens = CONTEXT) {
  const settings = llmAgentSchema({ allowLoopback: true }).parse({
    driver: 'llm',
    endpoint: model.url,
    model: 'test',
    instructions: 'Be brief.',
    contextTokens,
    maxOutputTokens: WRITTEN,
    maxSteps: 20,
  })
  const tool = toolSchema({ allowLoopback: true }).parse({
    name: 'look',
    description: 'Looks.',
    request: { method: 'GET', url: `${api.origin}/look` },
  })
  return runTurn(
    buildLlmAgent(settings, [tool]),
    turnRequest({
      // As much as was asked for, in turns of 500 bytes.
      history: async (maxBytes) =>
        Array.from({ length: Math.floor(maxBytes / 500) }, (_, n) => ({
          text: `${n}`.padEnd(250, '.'),
          reply: 'Yes. '.padEnd(250, '.'),
        })),
    }),
  )
}

const look = { tool: 'look', arguments: {} }
const sizes = () => model.requests.map((request) => Buffer.byteLength(JSON.stringify(request)))
const pastOf = ({ messages }: ChatRequest) => messages.filter(({ role }) => role === 'user').length - 1

it('what a model is given fits into its window at each step: the oldest turns make room for tools’ answers', async () => {
  model.answerInTurn({ calls: [look] }, { calls: [look, look] }, { text: 'Done.' })
  expect(await run()).toMatchObject({ reply: 'Done.', actions: { length: 3 } })
  expect(model.requests).toHaveLength(3)
  for (const size of sizes()) expect(size).toBeLessThan((CONTEXT - WRITTEN) * 3)
  const [first = 0, second = 0, third = 0] = model.requests.map(pastOf)
  expect(first).toBeGreaterThan(25)
  expect(second).toBeLessThan(first)
  expect(third).toBeLessThan(second)
  // Whole turns, and the latest of them.
  const { messages = [] } = model.requests[1] ?? {}
  expect(messages.slice(1).map(({ role }) => role)).toEqual([
    ...Array.from({ length: second }, () => ['user', 'assistant']).flat(),
    ...['user', 'assistant', 'tool'],
  ])
  const texts = (model.requests[0]?.messages ?? []).map(({ content }) => content)
  expect(texts).toEqual(
    expect.arrayContaining(messages.slice(1, 1 + second * 2).map(({ content }) => content)),
  )
  expect(messages[second * 2]?.content).toBe(texts[first * 2])
})

it('a model that will not stop calling must answer when its window is full', async () => {
  model.answerWith(({ tool_choice }) =>
    tool_choice === 'none' ? { text: 'Enough.' } : { calls: [look, look, look] },
  )
  expect(await run()).toMatchObject({ reply: 'Enough.' })
  expect(model.requests.length).toBeLessThan(8)
  expect(pastOf(model.requests.at(-1) as ChatRequest)).toBe(0)
  for (const size of sizes()) expect(size).toBeLessThan(CONTEXT * 3)
})

it('a window that is too small for anything still lets a tool be called', async () => {
  model.answerInTurn({ calls: [look] }, { text: 'Done.' })
  expect(await run(1_000)).toMatchObject({ reply: 'Done.', actions: { length: 1 } })
})
