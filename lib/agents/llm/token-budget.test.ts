import { beforeEach, expect, it } from 'vitest'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { NO_ANSWER_TEXT } from '../fixed-texts.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

const { api, model } = modelAndApiOfThisFile()
beforeEach(() => {
  model.answerWith(({ tool_choice }) => (tool_choice === 'none' ? { text: 'Enough.' } : { calls: [look] }))
})

const look = { tool: 'look', arguments: {} }

function start(maxTurnTokens: number) {
  const settings = llmAgentSchema({ allowLoopback: true }).parse({
    driver: 'llm',
    endpoint: model.url,
    model: 'test',
    // 1,000 tokens as the endpoint counts them.
    instructions: 'Be brief. '.repeat(400),
    maxOutputTokens: 16,
    maxSteps: 20,
    maxTurnTokens,
  })
  const tool = toolSchema({ allowLoopback: true }).parse({
    name: 'look',
    description: 'Looks.',
    request: { method: 'GET', url: `${api.origin}/look` },
  })
  const request = turnRequest()
  return { request, outcome: runTurn(buildLlmAgent(settings, [tool]), request) }
}

it('a turn keeps to its tokens: the model must answer in words when there are some for that alone', async () => {
  const { request, outcome } = start(6_000)
  expect(await outcome).toMatchObject({ reply: 'Enough.' })
  expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual([...Array(4).fill('auto'), 'none'])
  const { inputTokens, outputTokens } = request.usage
  expect(inputTokens + outputTokens).toBeLessThan(6_000)
})

it('it is asked once at any rate, and no more where there are none left', async () => {
  const { outcome } = start(1_000)
  expect(await outcome).toMatchObject({
    reply: NO_ANSWER_TEXT,
    actions: [{ tool: 'look' }],
    fault: { message: 'The turn has used up its tokens' },
  })
  expect(model.requests).toHaveLength(1)
})

it('what an endpoint does not count is estimated', async () => {
  let asked = 0
  model.answerWith(() => {
    asked += 1
    const call = { id: `c${asked}`, type: 'function', function: { name: 'look', arguments: '{}' } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    return { raw: JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }) }
  })
  await start(6_000).outcome
  expect(asked).toBeGreaterThan(1)
  expect(asked).toBeLessThan(6)
})
