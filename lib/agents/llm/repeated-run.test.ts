import { beforeEach, describe, expect, it } from 'vitest'
import type { ApiAnswer } from '#e2e/harness/brand-api.ts'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { ChatAnswer } from '#examples/model/chat.ts'
import { type EarlierCall, isStepUp, type TurnOutcome } from '../agent.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { hashArguments } from '../tools/arguments-hash.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

// A message whose turn ended in step-up runs again (§5.5), and a model need not say the same again.

const { api, model } = modelAndApiOfThisFile()
beforeEach(() => {
  api.answerWith(() => ({ json: {} }))
})

const number = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }

function build() {
  const settings = { driver: 'llm', endpoint: model.url, model: 'test', instructions: 'Be brief.' }
  const tools = [
    { name: 'cancel', scope: 'orders:cancel' },
    { name: 'refund', scope: 'refunds:issue' },
    { name: 'ticket' },
  ].map((tool) =>
    toolSchema({ allowLoopback: true }).parse({
      description: 'A tool.',
      arguments: number,
      request: { method: 'POST', url: `${api.origin}/${tool.name}/{number}` },
      ...tool,
    }),
  )
  return buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), tools)
}

const call = (tool: string, of: string) => ({ tool, arguments: { number: of } })
const cancel = (of: string) => call('cancel', of)
const refund = call('refund', 'A-1')
const paths = () => api.calls.map(({ path }) => path)
const keys = () => api.calls.map(({ headers }) => headers['idempotency-key'])
const told = () =>
  (model.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? [JSON.parse(content)] : [],
  )

/** One run: what the model says in it, under these scopes, after what earlier runs left. */
function run(
  scopes: string[],
  earlier: readonly EarlierCall[],
  ...answers: ChatAnswer[]
): Promise<TurnOutcome> {
  const held = new Set(scopes)
  model.answerInTurn(...answers)
  const access = { brandUserId: 'jane', scopes: held, token: 'a.b.c', scopesNow: async () => held }
  return runTurn(build(), turnRequest({ access, earlierCalls: async () => earlier }))
}

async function leaves(outcome: Promise<TurnOutcome>): Promise<readonly EarlierCall[]> {
  const ended = await outcome
  if (!isStepUp(ended)) throw new Error(`no step-up: ${JSON.stringify(ended)}`)
  return ended.forNextRun ?? []
}

const both = ['orders:cancel', 'refunds:issue']
const done = { text: 'Done.' }

describe('the second run of a message', () => {
  it('makes the call that the first one held back, though its tool has worked for another', async () => {
    const left = await leaves(
      run(['orders:cancel'], [], { calls: [cancel('A-1')] }, { calls: [refund, cancel('A-2')] }, done),
    )
    expect(paths()).toEqual(['/cancel/A-1'])
    const [first] = keys()
    api.calls.length = 0
    await run(both, left, { calls: [cancel('A-1'), refund, cancel('A-2')] }, done)
    expect(paths()).toEqual(['/cancel/A-1', '/refund/A-1', '/cancel/A-2'])
    expect(keys()[0]).toBe(first)
    expect(new Set(keys()).size).toBe(3)
  })

  it.each([404, 409, 422])('corrects a call that was refused with %i', async (status) => {
    api.answerWith(({ path }): ApiAnswer => (path === '/cancel/A1' ? { status } : { json: {} }))
    const left = await leaves(
      run(['orders:cancel'], [], { calls: [cancel('A1')] }, { calls: [refund] }, done),
    )
    const [refused] = keys()
    api.calls.length = 0
    await run(both, left, { calls: [cancel('A-1'), cancel('A1')] }, done)
    expect(paths()).toEqual(['/cancel/A-1', '/cancel/A1'])
    // An API answers a known key as it did before.
    expect(keys()[1]).not.toBe(refused)
  })

  it.each([{ status: 500 }, { hangUp: true }])(
    'does not make in other words a call that may have done its work: %j',
    async (answer) => {
      api.answerWith(() => answer)
      const left = await leaves(
        run(['orders:cancel'], [], { calls: [cancel('A-1')] }, { calls: [refund] }, done),
      )
      api.calls.length = 0
      api.answerWith(() => ({ json: {} }))
      await run(both, left, { calls: [cancel('a-1'), cancel('A-1'), cancel('A-1'), refund] }, done)
      expect(paths()).toEqual(['/cancel/A-1', '/refund/A-1'])
      const [inOtherWords, same, again, other] = told()
      expect([same, other]).toEqual([{ answer: {} }, { answer: {} }])
      for (const { error } of [inOtherWords, again]) {
        expect(error).toMatch(/^Not called: .* was not made\./)
        expect(error).not.toMatch(/done|its work/)
      }
    },
  )

  it('leaves to a third what it has done and held back itself, under the same numbers', async () => {
    const first = await leaves(
      run(['orders:cancel'], [], { calls: [cancel('A-1')] }, { calls: [refund] }, done),
    )
    const second = await leaves(
      run(['orders:cancel'], first, { calls: [cancel('A-1')] }, { calls: [refund, cancel('A-2')] }, done),
    )
    const argsHash = hashArguments({ number: 'A-1' })
    expect(second).toEqual([
      { tool: 'cancel', argsHash, became: 'done', nth: 0 },
      { tool: 'refund', argsHash, became: 'held' },
      { tool: 'cancel', argsHash: hashArguments({ number: 'A-2' }), became: 'held' },
    ])
    api.calls.length = 0
    await run(both, [...first, ...second], { calls: [cancel('A-1'), cancel('A-2'), cancel('A-1')] }, done)
    expect(paths()).toEqual(['/cancel/A-1', '/cancel/A-2'])
  })
})
