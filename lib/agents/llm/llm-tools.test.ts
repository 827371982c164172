import { describe, expect, it } from 'vitest'
import { call, holding, shopAgentOfThisFile } from '#e2e/harness/shop-agent.ts'
import type { TraceStep } from '../agent.ts'
import { hashArguments } from '../tools/arguments-hash.ts'

const { api, model, paths, run, told } = shopAgentOfThisFile()

describe('the tools', () => {
  it('are called in the model’s order, one after the other, and told of in the receipt', async () => {
    model.answerInTurn(
      {
        calls: [
          call('find_order', { number: 'A-1' }),
          call('cancel_order', { number: 'A-1' }),
          call('hours'),
        ],
      },
      { text: 'Cancelled.' },
    )
    let running = 0
    api.answerWith(async () => {
      running += 1
      expect(running).toBe(1)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running -= 1
      return { json: { done: true } }
    })
    const argsHash = hashArguments({ number: 'A-1' })
    expect(await run({ access: holding('orders:read', 'orders:cancel') })).toMatchObject({
      reply: 'Cancelled.',
      actions: [{ tool: 'find_order', argsHash }, { tool: 'cancel_order', argsHash }, { tool: 'hours' }],
      scopesUsed: ['orders:read', 'orders:cancel'],
    })
    expect(paths()).toEqual(['GET /find_order?number=A-1', 'POST /orders/A-1/cancel', 'GET /hours'])
    expect(told()).toEqual([
      { answer: { done: true } },
      { answer: { done: true } },
      { answer: { done: true } },
    ])
  })

  it('never get the User’s name from the model, and it is not asked for it', async () => {
    model.answerInTurn({ calls: [call('profile', { user: 'tom-1180', part: 'mail' })] }, { text: 'Here.' })
    const steps: TraceStep[] = []
    const outcome = await run({ access: holding('profile:read'), trace: (step) => steps.push(step) })
    expect(paths()).toEqual(['GET /users/jane-4471?part=mail'])
    expect(steps[1]).toMatchObject({ kind: 'tool', arguments: { user: 'jane-4471', part: 'mail' } })
    expect(outcome).toMatchObject({
      actions: [{ tool: 'profile', argsHash: hashArguments({ user: 'jane-4471', part: 'mail' }) }],
    })
    const offered = model.requests[0]?.tools?.find(({ function: { name } }) => name === 'profile')
    expect(offered?.function.parameters).toMatchObject({ properties: { part: {} }, required: [] })
    expect(JSON.stringify(offered)).not.toContain('user')
  })

  it.each([
    ['an unknown tool', call('drop_tables'), 'Not called: there is no such tool.'],
    [
      'arguments that are no JSON',
      call('find_order', '{"number":'),
      'Not called: the arguments are no JSON object.',
    ],
    ['a list of arguments', call('find_order', ['A-1']), 'Not called: the arguments are no JSON object.'],
    ['no arguments', call('find_order'), "Not called: arguments must have required property 'number'."],
    ['wrong arguments', call('find_order', { number: {} }), 'Not called: arguments/number must be string.'],
    [
      'a prototype',
      call('find_order', '{"__proto__":{"number":"A-1"}}'),
      expect.stringMatching('Not called'),
    ],
    ['another path', call('cancel_order', { number: '../../users' }), expect.stringMatching('another URL')],
  ])('are not called with %s: the model is told', async (_, wish, error) => {
    model.answerInTurn({ calls: [wish] }, { text: 'I am sorry.' })
    expect(await run({ access: holding('orders:read', 'orders:cancel') })).toMatchObject({
      reply: 'I am sorry.',
      actions: [],
    })
    expect(paths()).toEqual([])
    expect(told()).toEqual([{ error }])
  })

  it('are called twenty times in a turn, and no more', async () => {
    const many = Array.from({ length: 30 }, (_, n) => call('find_order', { number: `A-${n}` }))
    model.answerInTurn({ calls: many }, { calls: many }, { text: 'Enough.' })
    const outcome = await run({ access: holding('orders:read') })
    expect(api.calls).toHaveLength(20)
    expect(outcome).toMatchObject({ reply: 'Enough.', actions: { length: 20 } })
    expect(told()).toHaveLength(60)
  })

  it('are asked for as often as there are steps: the last one is for words', async () => {
    model.answerInTurn({ calls: [call('hours')] }, { calls: [call('hours')] }, { text: 'At nine.' })
    expect(await run({}, { maxSteps: 3 })).toMatchObject({ reply: 'At nine.', actions: { length: 2 } })
    expect(model.requests.map(({ tool_choice }) => tool_choice)).toEqual(['auto', 'auto', 'none'])
  })

  it('are not called in the last step, even by a model that will not stop', async () => {
    model.answerInTurn({ text: 'One moment.', calls: [call('hours')] })
    const settings = { maxSteps: 3, failed: 'Let me get somebody.' }
    expect(await run({}, settings)).toMatchObject({
      reply: 'Let me get somebody.',
      actions: { length: 2 },
      fault: { message: 'The model wanted another call when it had to answer in words' },
    })
    expect(model.requests).toHaveLength(3)
  })

  it('answer the model with data: bounded, and without the token', async () => {
    const { token } = holding()
    api.answerWith(({ path }) => ({
      json: path === '/hours' ? { text: 'x'.repeat(50_000) } : { you: `sent ${token}` },
    }))
    model.answerInTurn({ calls: [call('list_orders'), call('hours')] }, { text: 'Done.' })
    await run({ access: holding('orders:read') }, { contextTokens: 4_000 })
    const [orders, hours] = told()
    expect(orders).toEqual({ answer: { you: 'sent ' } })
    expect(JSON.stringify(hours).length).toBeLessThan(3_300)
    expect(hours.answer.beginning).toMatch(/^\{"text":"xxx/)
  })

  it.each([
    [
      { status: 409, json: { detail: 'shipped' } },
      { error: 'The call was refused: nothing was done.', status: 409, answer: { detail: 'shipped' } },
    ],
    [
      { status: 500, raw: '<html>' },
      { error: 'The call failed, and it is not known whether it did its work.', status: 500 },
    ],
  ])('that answer %j are told of as failed', async (answer, expected) => {
    api.answerWith(() => answer)
    model.answerInTurn({ calls: [call('cancel_order', { number: 'A-1' })] }, { text: 'It failed.' })
    expect(await run({ access: holding('orders:cancel') })).toMatchObject({
      reply: 'It failed.',
      actions: { length: 1 },
    })
    expect(told()).toEqual([expected])
  })
})
