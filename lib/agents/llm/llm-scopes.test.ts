import { describe, expect, it } from 'vitest'
import { call, holding, shopAgentOfThisFile } from '#e2e/harness/shop-agent.ts'
import { MISSING_SCOPES_TEXT } from '../fixed-texts.ts'
import { hashArguments } from '../tools/arguments-hash.ts'

const { api, model, paths, run, told } = shopAgentOfThisFile()

describe('the gate of scopes (§5.5)', () => {
  it('lets no call through that the token does not allow: the turn steps up for all that was wished for', async () => {
    model.answerInTurn(
      { calls: [call('list_orders'), call('cancel_order', { number: 'A-1' })] },
      { calls: [call('refund', { number: 'A-1' })] },
      { text: 'May I look, cancel and refund?' },
    )
    expect(await run({ access: holding('other') })).toEqual({
      missingScopes: ['orders:read', 'orders:cancel', 'refunds:issue'],
      text: 'May I look, cancel and refund?',
      actions: [],
      scopesUsed: [],
      forNextRun: ['cancel_order', 'refund'].map((name) => ({
        tool: name,
        argsHash: hashArguments({ number: 'A-1' }),
        became: 'held',
      })),
    })
    expect(paths()).toEqual([])
    expect(told().map(({ error }) => error)).toEqual(
      Array(3).fill(expect.stringContaining('permission is missing')),
    )
  })

  it('says it in the Brand’s words where it has some, and in fixed ones where nobody has any', async () => {
    model.answerInTurn({ calls: [call('list_orders')] }, { text: 'Click here!' })
    expect(await run({}, { missingScopes: 'May I?' })).toMatchObject({ text: 'May I?' })
    model.answerInTurn({ calls: [call('list_orders')] }, { text: '' })
    expect(await run()).toMatchObject({ missingScopes: ['orders:read'], text: MISSING_SCOPES_TEXT })
    model.answerInTurn({ calls: [call('list_orders')] }, { status: 400, raw: '{}' })
    expect(await run()).toMatchObject({ missingScopes: ['orders:read'], text: MISSING_SCOPES_TEXT })
  })

  it('holds back what changes something once a permission is missing: in the same answer, before it and after it', async () => {
    const cancel = call('cancel_order', { number: 'A-1' })
    model.answerInTurn(
      { calls: [cancel, call('refund', { number: 'A-1' }), cancel] },
      { calls: [cancel, call('ticket', { number: 'A-1' }), call('find_order', { number: 'A-1' })] },
      { text: 'May I refund?' },
    )
    const outcome = await run({ access: holding('orders:read', 'orders:cancel') })
    expect(outcome).toMatchObject({ missingScopes: ['refunds:issue'], actions: [{ tool: 'find_order' }] })
    expect(paths()).toEqual(['GET /find_order?number=A-1'])
  })

  it('tells in the step-up what was allowed and done before', async () => {
    model.answerInTurn(
      { calls: [call('cancel_order', { number: 'A-1' })] },
      { calls: [call('refund', { number: 'A-1' })] },
      { text: 'May I refund?' },
    )
    expect(await run({ access: holding('orders:cancel') })).toMatchObject({
      missingScopes: ['refunds:issue'],
      actions: [{ tool: 'cancel_order', argsHash: hashArguments({ number: 'A-1' }) }],
      scopesUsed: ['orders:cancel'],
    })
  })

  it('looks again before each call: a scope that is taken back is missing from then on', async () => {
    const held = new Set(['orders:read', 'orders:cancel'])
    api.answerWith(() => {
      held.delete('orders:cancel')
      return { json: {} }
    })
    const access = { ...holding('orders:read', 'orders:cancel'), scopesNow: async () => new Set(held) }
    model.answerInTurn(
      { calls: [call('list_orders'), call('cancel_order', { number: 'A-1' })] },
      { text: 'May I?' },
    )
    expect(await run({ access })).toMatchObject({
      missingScopes: ['orders:cancel'],
      actions: [{ tool: 'list_orders' }],
    })
    expect(paths()).toEqual(['GET /list_orders'])
  })

  it('a token that ends before anything was called ends the turn; after that, nothing is called any more', async () => {
    const wishes = [call('list_orders'), call('cancel_order', { number: 'A-1' }), call('hours')]
    model.answerInTurn({ calls: wishes }, { text: 'Your permission has ended.' })
    const gone = { ...holding('orders:read', 'orders:cancel'), scopesNow: async () => undefined }
    expect(await run({ access: gone })).toEqual({ tokenEnded: true })
    expect(paths()).toEqual([])
    let live: ReadonlySet<string> | undefined = gone.scopes
    api.answerWith(() => {
      live = undefined
      return { json: {} }
    })
    model.answerInTurn({ calls: wishes }, { text: 'Your permission has ended.' })
    expect(await run({ access: { ...gone, scopesNow: async () => live } })).toMatchObject({
      reply: 'Your permission has ended.',
      actions: [{ tool: 'list_orders' }],
    })
    expect(paths()).toEqual(['GET /list_orders'])
  })
})

describe('a message that runs again after a step-up', () => {
  const cancel = (number: string) => call('cancel_order', { number })
  const keys = () => api.calls.map(({ headers }) => headers['idempotency-key'])

  it('makes the same calls under the same keys, wherever they stand, and others under others', async () => {
    const access = holding('orders:read', 'orders:cancel')
    model.answerInTurn({ calls: [cancel('A-1'), cancel('A-2'), cancel('A-1')] }, { text: 'Done.' })
    await run({ access })
    const first = keys()
    expect(new Set(first).size).toBe(3)
    api.calls.length = 0
    model.answerInTurn(
      { calls: [call('list_orders')] },
      { calls: [cancel('A-2'), cancel('A-1')] },
      { text: 'Done.' },
    )
    await run({ access })
    expect(keys().slice(1)).toEqual([first[1], first[0]])
    api.calls.length = 0
    model.answerInTurn({ calls: [cancel('A-1')] }, { text: 'Done.' })
    await run({ access, messageId: 'm-2' })
    expect(first).not.toContain(keys()[0])
  })
})
