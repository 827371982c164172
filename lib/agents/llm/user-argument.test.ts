import { describe, expect, it } from 'vitest'
import { modelAndApiOfThisFile } from '#e2e/harness/model-and-api.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'

// Who the User is, the token says: however the schema of the arguments is built, and whatever a model was talked into.

const { api, model } = modelAndApiOfThisFile()
const user = { user: { type: 'string' } }
const filter = { type: 'object', properties: { city: { type: 'string' } } }

const held = new Set(['profile:read'])
const access = { brandUserId: 'jane', scopes: held, token: 'a.b.c', scopesNow: async () => held }

/** One turn in which the model wishes for these calls. */
async function wish(schema: object, ...wishes: unknown[]): Promise<{ errors: string[]; bodies: unknown[] }> {
  const settings = { driver: 'llm', endpoint: model.url, model: 'test', instructions: 'Be brief.' }
  const tool = toolSchema({ allowLoopback: true }).parse({
    name: 'search',
    description: 'Searches.',
    scope: 'profile:read',
    arguments: schema,
    userArgument: 'user',
    request: { method: 'POST', url: `${api.origin}/search` },
  })
  model.answerInTurn(
    { calls: wishes.map((given) => ({ tool: 'search', arguments: given })) },
    { text: 'Done.' },
  )
  await runTurn(
    buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), [tool]),
    turnRequest({ access }),
  )
  const told = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool')
  return {
    errors: told.map(({ content }) => JSON.parse(content).error),
    bodies: api.calls.map(({ body }) => body),
  }
}

describe('the argument that is the User', () => {
  it.each([
    ['an object', { type: 'object', properties: { ...user, filter } }],
    [
      'parts',
      { type: 'object', properties: user, allOf: [{ properties: { ...user, filter }, required: ['user'] }] },
    ],
    [
      'alternatives',
      { type: 'object', properties: user, anyOf: [{ properties: { filter }, required: ['filter'] }] },
    ],
    ['an open object', { type: 'object', properties: { ...user, filter }, additionalProperties: true }],
  ])('is the token’s where the schema is of %s, and is not named elsewhere', async (_, schema) => {
    const city = { city: 'Leipzig' }
    const { errors, bodies } = await wish(
      schema,
      { user: 'tom', filter: city },
      { User: 'tom', filter: city },
      { filter: { ...city, user: 'tom' } },
      { filter: { ...city, User: 'tom' } },
      { filter: city, 'user ': 'tom' },
      { filter: city, userId: 'tom' },
    )
    expect(bodies).toEqual([{ user: 'jane', filter: city }])
    expect(errors.slice(1)).toEqual(Array(5).fill(expect.stringMatching(/^Not called: arguments/)))
    // Nor is it asked for.
    expect(JSON.stringify(model.requests[0]?.tools)).not.toContain('"user"')
  })

  it('is not named within lists', async () => {
    const people = { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } }
    const { bodies } = await wish(
      { type: 'object', properties: { ...user, people } },
      { people: [{ name: 'A' }, { name: 'B', user: 'tom' }] },
      { people: [{ name: 'A' }] },
    )
    expect(bodies).toEqual([{ user: 'jane', people: [{ name: 'A' }] }])
  })

  it('what a Brand leaves open within an argument stays open', async () => {
    const labels = {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'string' },
    }
    const schema = { type: 'object', properties: { ...user, labels, any: { type: 'object' } } }
    const given = { labels: { a: 'x', colour: 'blue' }, any: { thing: 1 } }
    expect((await wish(schema, given)).bodies).toEqual([{ user: 'jane', ...given }])
  })
})
