import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { loadModels } from '#examples/model/models.ts'
import { serveModel } from '#examples/model/serve.ts'
import { consoleUserSchema } from '#lib/access/schema.ts'
import { brandSchema } from '#lib/brands/schema.ts'
import { personalAgentSchema, providerSchema } from '#lib/identity/schema.ts'
import { type AgentState, isStepUp, isTokenEnded } from './agent.ts'
import { buildAgent } from './build-agent.ts'
import { runChecks } from './checks/run-checks.ts'
import { runTurn } from './run-turn.ts'
import { toAgentColumn } from './schema.ts'
import { findUnsetVariables } from './unset-variables.ts'

const fileSchema = z.strictObject({
  provider: providerSchema,
  personalAgents: z.array(personalAgentSchema({ allowLoopback: true })),
  brands: z.array(brandSchema({ allowLoopback: true })),
  console: z.strictObject({ users: z.array(consoleUserSchema) }),
})

function readExample(name: string) {
  return fileSchema.parse(parse(readFileSync(new URL(`../../examples/${name}`, import.meta.url), 'utf8')))
}

/** Talks with a Brand of `file`, and says whether the last turn ended the conversation. `endpoint`: of a model. */
async function talk(file: string, brandName: string, texts: readonly string[], endpoint?: string) {
  const brand = readExample(file).brands.find(({ name }) => name === brandName)
  if (!brand) throw new Error('no such Brand')
  const settings = toAgentColumn(brand.agent)
  const agent = buildAgent(
    settings.driver === 'llm' && endpoint ? { ...settings, endpoint } : settings,
    brand.agent.tools,
  )
  let state: AgentState = {}
  let close = false
  const replies: string[] = []
  for (const text of texts) {
    const past = replies.map((reply, index) => ({ text: texts[index] ?? '', reply }))
    const turn = turnRequest({ text, state, messageId: `m-${replies.length}`, history: async () => past })
    const outcome = await runTurn(agent, turn)
    if (isTokenEnded(outcome)) throw new Error('there was no token')
    if (isStepUp(outcome)) {
      replies.push(outcome.text)
      continue
    }
    replies.push(outcome.reply)
    state = outcome.state
    close = outcome.close
  }
  return { replies, close }
}

describe('the example provision files', () => {
  it.each(['demo.yaml', 'provision-example.yaml'])('%s is valid', (name) => {
    expect(readExample(name).brands.length).toBeGreaterThanOrEqual(2)
  })

  it.each(['demo.yaml', 'provision-example.yaml'])('%s shows nothing that nothing sets', (name) => {
    for (const { agent } of readExample(name).brands)
      if (agent.driver === 'scripted') expect(findUnsetVariables(agent)).toEqual([])
  })

  it.each(['demo.yaml', 'provision-example.yaml'])('%s: the checks that it has pass', async (name) => {
    for (const { id, agent, delegation } of readExample(name).brands) {
      if (agent.checks.length === 0) continue
      const scopes = delegation?.scopes.map((scope) => scope.id) ?? []
      const built = buildAgent(toAgentColumn(agent), agent.tools, { scopes, allowPrivate: false })
      const checked = { agent: built, brandId: id, secret: async () => undefined }
      const results = await runChecks(checked, agent.checks)
      expect(results.filter(({ passed }) => !passed)).toEqual([])
    }
  })

  it('the demo has three Brands, and leaves it to the operator whether its personal agent is enabled', () => {
    const demo = readExample('demo.yaml')
    expect(demo.brands).toHaveLength(3)
    expect(demo.personalAgents).toEqual([
      {
        name: 'Demo personal agent',
        issuer: 'http://localhost:3100',
        jwksUri: 'http://localhost:3100/.well-known/jwks.json',
      },
    ])
  })

  it('the format example asks for an order number and uses it', async () => {
    const { replies } = await talk('provision-example.yaml', 'Loom & Thread', ['My order is late', 'A-88213'])
    expect(replies).toEqual([
      'Sure, what is the order number?',
      'Order A-88213 leaves our warehouse tomorrow.',
    ])
  })
})

describe('the demo', () => {
  it('Loom & Thread finds an order by its number and remembers it', async () => {
    const said = ['Hello', 'Where is my order?', '88213', 'a-88213', 'can I return it?', 'Bye']
    const { replies, close } = await talk('demo.yaml', 'Loom & Thread', said)
    expect(replies).toEqual([
      'Hello, this is Loom & Thread. I can help with orders, deliveries and refunds.',
      'Sure, what is the order number?',
      'Our order numbers start with A-, such as A-88213. Could you look again?',
      'Order A-88213 leaves our warehouse tomorrow and is with you two days later. Is there anything else about it?',
      'You can send order A-88213 back within 30 days; the label is in the parcel. The refund reaches you three to five days after we have it.',
      'Goodbye, and thank you for choosing Loom & Thread.',
    ])
    expect(close).toBe(true)
  })

  it('Loom & Thread asks for permission before it touches an account', async () => {
    const said = ['Show my orders', 'Please cancel order A-88213', 'Thanks']
    expect((await talk('demo.yaml', 'Loom & Thread', said)).replies).toEqual([
      'I need permission to look up your orders.',
      'I need permission to cancel orders.',
      "You're welcome. Anything else?",
    ])
  })

  it('Willow Lane Dental makes an appointment over three turns, by its model', async () => {
    const model = await serveModel(await loadModels())
    const said = ['I need an appointment', 'Sunday?', 'thursday then', 'In the morning', 'bye']
    const { replies } = await talk('demo.yaml', 'Willow Lane Dental', said, model.url)
    expect(replies).toEqual([
      'Gladly. Which day suits you, from Monday to Friday?',
      'We are closed at the weekend. Which day from Monday to Friday suits you?',
      'thursday is good. Would you rather come in the morning or in the afternoon?',
      'Then I have put you down for thursday at 9:20. Please come ten minutes early.',
      'Goodbye.',
    ])
    await model.close()
  })
})
