import { describe, expect, it } from 'vitest'
import { startModel } from '#e2e/harness/model-endpoint.ts'
import { call, holding, shopAgentOfThisFile } from '#e2e/harness/shop-agent.ts'
import { BROKEN_OFF_TEXT } from '../fixed-texts.ts'
import { AgentFailedError } from '../run-turn.ts'

const { api, model, run } = shopAgentOfThisFile()

describe('a model that answers nonsense', () => {
  const failed = 'Our assistant is not available.'

  it.each([
    ['HTML', '[[html]]'],
    ['half a JSON', '[[broken]]'],
    ['nothing', '[[nothing]]'],
    ['no words', '[[empty]]'],
    ['two megabytes', '[[huge 2]]'],
    ['a redirect', '[[redirect https://elsewhere.example/]]'],
    ['status 401', '[[status 401]]'],
    ['status 429', '[[status 429]]'],
    ['status 500', '[[status 500]]'],
    ['half of it', '[[cut]]'],
    ['never', '[[hang]]'],
    ['too late', '[[slow 3000]]'],
  ])(
    '%s: the reply is the Brand’s own, or the turn fails, and the log knows no word of it',
    async (_, text) => {
      const obedient = await startModel()
      const settings = { endpoint: obedient.url, timeLimitSeconds: 2 }
      const outcome = await run(
        { text: `${text} my secret`, secret: async () => 'sk-1' },
        { ...settings, failed },
      )
      expect(outcome).toMatchObject({ reply: failed, actions: [], fault: { name: 'ModelFailure' } })
      const { message, cause } = (outcome as { fault: Error }).fault
      expect(`${message} ${cause}`).not.toMatch(/sk-1|secret|assistant of a shop/)
      const failure = await run({ text, secret: async () => 'sk-1' }, settings).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(AgentFailedError)
      expect(failure).toMatchObject({ cause: { name: 'ModelFailure' } })
      await obedient.close()
    },
  )

  it.each([
    ['NUL bytes', { text: '\0a\0b\0' }, 'ab'],
    ['lone surrogates', { text: 'a\uD83Db\uD83D' }, 'a\uFFFDb'],
    ['100 KiB', { text: 'é'.repeat(50_000) }, 'é'.repeat(16_384)],
  ])('%s: the reply is what can be stored of it', async (_, answer, reply) => {
    model.answerInTurn(answer)
    expect(await run()).toMatchObject({ reply })
  })

  it('an endpoint that is busy for a moment is asked once more, and nothing is called twice', async () => {
    model.answerInTurn(
      { calls: [call('cancel_order', { number: 'A-1' })] },
      { status: 503, raw: '{}' },
      { text: 'Cancelled.' },
    )
    expect(await run({ access: holding('orders:cancel') })).toMatchObject({ reply: 'Cancelled.' })
    expect(api.calls).toHaveLength(1)
  })

  it('after something was changed, the reply says so and the receipt tells what', async () => {
    model.answerInTurn({ calls: [call('cancel_order', { number: 'A-1' })] }, { raw: 'nonsense' })
    expect(await run({ access: holding('orders:cancel') }, { failed })).toMatchObject({
      reply: BROKEN_OFF_TEXT,
      actions: [{ tool: 'cancel_order' }],
      fault: { name: 'ModelFailure' },
    })
  })

  it('an endpoint on this machine is asked only where that is allowed', async () => {
    const outcome = run({}, { endpoint: 'https://localhost:1/v1' }).catch((error: unknown) => error)
    expect(await outcome).toMatchObject({ cause: { message: "The model's endpoint: unreachable" } })
    const inside = run({}, { endpoint: 'https://intranet.invalid/v1' }).catch((error: unknown) => error)
    expect(await inside).toMatchObject({ cause: { name: 'ModelFailure' } })
  })
})
