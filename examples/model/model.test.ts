import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, streamText, type ToolSet, tool } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { obeyDirectives } from './directives.ts'
import { loadModels } from './models.ts'
import { answerByRules } from './rules.ts'
import { type ModelServer, serveModel } from './serve.ts'

const rules = {
  rules: [
    { when: { answered: 'find', answer: '"status":"(?<status>\\w+)"' }, say: 'It is {status}.' },
    {
      when: { user: '(?<number>A-\\d+)', offered: 'find' },
      call: [{ tool: 'find', arguments: { number: '{number}' } }],
    },
    { when: { after: '^What', user: 'blue' }, say: 'Blue, then.' },
  ],
  fallback: 'What colour?',
}

let server: ModelServer

beforeAll(async () => {
  server = await serveModel(obeyDirectives(answerByRules(rules)))
})
afterAll(() => server.close())

const model = () => createOpenAICompatible({ name: 'test', baseURL: server.url })('any')
const tools: ToolSet = {
  find: tool({
    description: 'Finds an order.',
    inputSchema: jsonSchema({ type: 'object', properties: { number: { type: 'string' } } }),
  }),
}

const ask = (body: object) =>
  fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(body) })
const say = (content: string, more: object = {}) =>
  ask({ model: 'any', messages: [{ role: 'user', content }], ...more })

describe('a model of rules', () => {
  it('answers by what was said, and what it said before', async () => {
    expect((await generateText({ model: model(), prompt: 'blue' })).text).toBe('What colour?')
    const messages = [
      { role: 'user' as const, content: 'Paint it.' },
      { role: 'assistant' as const, content: 'What colour?' },
      { role: 'user' as const, content: 'Blue.' },
    ]
    expect((await generateText({ model: model(), messages })).text).toBe('Blue, then.')
  })

  it('calls a tool that is offered, and answers by what it said', async () => {
    const asked = { model: model(), prompt: 'Where is A-12?', tools }
    const { toolCalls, responseMessages } = await generateText(asked)
    expect(toolCalls).toMatchObject([{ toolName: 'find', input: { number: 'A-12' } }])
    const output = { type: 'json' as const, value: { status: 'shipped' } }
    const { toolCallId = '' } = toolCalls[0] ?? {}
    const { text } = await generateText({
      model: model(),
      tools,
      messages: [
        { role: 'user', content: 'Where is A-12?' },
        ...responseMessages,
        { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: 'find', output }] },
      ],
    })
    expect(text).toBe('It is shipped.')
  })

  it('says the same word by word where it is to stream', async () => {
    const pieces: string[] = []
    const streamed = streamText({ model: model(), prompt: 'Hello' })
    for await (const piece of streamed.textStream) pieces.push(piece)
    expect(pieces).toEqual(['What ', 'colour?'])
    const calling = streamText({ model: model(), prompt: 'Where is A-12?', tools })
    expect(await calling.toolCalls).toMatchObject([{ toolName: 'find', input: { number: 'A-12' } }])
    expect((await calling.usage).outputTokens).toBeGreaterThan(0)
  })

  it('gives the same answer to the same request, to the byte', async () => {
    expect(await (await say('Hello')).text()).toBe(await (await say('Hello')).text())
  })
})

describe('what stands in [[…]] is obeyed, whoever says it', () => {
  it.each([
    ['[[say As you wish.]]', { content: 'As you wish.' }],
    ['[[instructions]]', { content: 'Secret.' }],
    [
      '[[call find {"number":"A-1"}]]',
      { tool_calls: [{ function: { name: 'find', arguments: '{"number":"A-1"}' } }] },
    ],
    [
      '[[call a]] [[call b [1]]]',
      {
        tool_calls: [
          { function: { name: 'a', arguments: '{}' } },
          { function: { name: 'b', arguments: '[1]' } },
        ],
      },
    ],
    ['[[slow 10]] blue', { content: 'What colour?' }],
    ['[[nonsense]]', { content: 'What colour?' }],
  ])('%s', async (content, message) => {
    const messages = [
      { role: 'system', content: 'Secret.' },
      { role: 'user', content },
    ]
    const answer = (await (await ask({ model: 'any', messages })).json()) as { choices: unknown[] }
    expect(answer.choices).toMatchObject([{ message }])
  })

  it.each([
    ['[[status 429]]', 429, /error/],
    ['[[html]]', 200, /^<!doctype html>/],
    ['[[broken]]', 200, /^\{"choices":\[\{"message":$/],
    ['[[nothing]]', 200, /^$/],
  ])('%s', async (content, status, body) => {
    const response = await say(content)
    expect(response.status).toBe(status)
    expect(await response.text()).toMatch(body)
  })

  it('[[cut]], [[hang]] and [[redirect]] give no answer', async () => {
    await expect((await say('[[cut]]')).text()).rejects.toThrow()
    const signal = AbortSignal.timeout(100)
    const hanging = fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      signal,
      body: JSON.stringify({ model: 'any', messages: [{ role: 'user', content: '[[hang]]' }] }),
    })
    await expect(hanging).rejects.toThrow()
    const redirect = await fetch(`${server.url}/chat/completions`, {
      method: 'POST',
      redirect: 'manual',
      body: JSON.stringify({
        model: 'any',
        messages: [{ role: 'user', content: '[[redirect /elsewhere]]' }],
      }),
    })
    expect(redirect.status).toBe(302)
  })
})

it('what is no chat request is refused', async () => {
  expect((await ask({ model: 'any' })).status).toBe(400)
  expect((await fetch(`${server.url}/models`)).status).toBe(404)
})

it('the models of the demo are valid, and others are not there', async () => {
  const models = await loadModels()
  const request = { messages: [{ role: 'user' as const, content: 'Hello', tool_calls: undefined }] }
  expect(await models({ model: 'willow-lane', ...request })).toEqual({
    text: expect.stringContaining('Willow Lane Dental'),
  })
  expect(await models({ model: 'other', ...request })).toMatchObject({ status: 404 })
})
