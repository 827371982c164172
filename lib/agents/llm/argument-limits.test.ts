import { expect, it } from 'vitest'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

const { api, model } = modelAndApiOfThisFile()

/** The longest time for which nothing else could run, in milliseconds. */
async function measureStall(work: Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 5)
  await work
  clearInterval(timer)
  return longest
}

function run(schema: object) {
  const settings = { driver: 'llm', endpoint: model.url, model: 'test', instructions: 'Be brief.' }
  const tool = toolSchema({ allowLoopback: true }).parse({
    name: 'note',
    description: 'Notes.',
    arguments: { type: 'object', properties: { a: schema } },
    request: { method: 'POST', url: `${api.origin}/notes` },
  })
  const agent = buildLlmAgent(
    llmAgentSchema({ allowLoopback: true }).parse({
      ...settings,
      contextTokens: 500_000,
      maxTurnTokens: 1_000_000,
    }),
    [tool],
  )
  return runTurn(agent, turnRequest())
}

const note = (a: unknown) => ({ tool: 'note', arguments: { a } })
const told = () =>
  (model.requests.at(-1)?.messages ?? []).flatMap(({ role, content }) =>
    role === 'tool' ? [JSON.parse(content).error] : [],
  )

it('arguments of more than 32 KiB are not looked at', async () => {
  model.answerInTurn({ calls: [note('x'.repeat(33_000)), note('x'.repeat(30_000))] }, { text: 'Noted.' })
  expect(await run({ type: 'string' })).toMatchObject({ reply: 'Noted.', actions: { length: 1 } })
  expect(told()).toEqual(['Not called: the arguments are too large.', undefined])
})

it('a model whose arguments take long to check does not keep others waiting', async () => {
  // Each alone is as large as may be, and takes longer than it may.
  const hostile = note(Array.from({ length: 1_700 }, (_, n) => ({ n, m: {} })))
  const schema = {
    type: 'array',
    allOf: Array(40).fill({ uniqueItems: true }),
  }
  model.answerInTurn({ calls: Array(25).fill(hostile) }, { text: 'I give up.' })
  let outcome: unknown
  const stall = await measureStall(
    run(schema).then((ended) => {
      outcome = ended
    }),
  )
  expect(outcome).toMatchObject({ reply: 'I give up.', actions: [] })
  expect(stall).toBeLessThan(2_000)
  expect(told().at(-1)).toBe('Not called: the arguments take too long to check. Answer now.')
}, 20_000)
