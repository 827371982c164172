import type { Access, TurnRequest } from '#lib/agents/agent.ts'
import { buildLlmAgent } from '#lib/agents/llm/llm-agent.ts'
import { llmAgentSchema } from '#lib/agents/llm-schema.ts'
import { runTurn } from '#lib/agents/run-turn.ts'
import { toolSchema } from '#lib/agents/tools/schema.ts'
import { modelAndApiOfThisFile } from './model-and-api.ts'
import { turnRequest } from './turn-request.ts'

const number = { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] }

const toolsAt = (origin: string) =>
  [
    { name: 'hours' },
    { name: 'list_orders', scope: 'orders:read' },
    { name: 'find_order', scope: 'orders:read', arguments: number },
    {
      name: 'cancel_order',
      scope: 'orders:cancel',
      arguments: number,
      request: { method: 'POST', url: `${origin}/orders/{number}/cancel` },
    },
    { name: 'refund', scope: 'refunds:issue', arguments: number, changes: true },
    { name: 'ticket', arguments: number, changes: true },
    {
      name: 'profile',
      scope: 'profile:read',
      arguments: {
        type: 'object',
        properties: { user: { type: 'string' }, part: { type: 'string' } },
        required: ['user'],
      },
      userArgument: 'user',
      request: { method: 'GET', url: `${origin}/users/{user}` },
    },
  ].map((tool) =>
    toolSchema({ allowLoopback: true }).parse({
      description: `What ${tool.name} does.`,
      request: { method: 'GET', url: `${origin}/${tool.name}` },
      ...tool,
    }),
  )

/** As a User whose token allows these scopes. */
export function holding(...scopes: string[]): Access {
  const held = new Set(scopes)
  return {
    brandUserId: 'jane-4471',
    scopes: held,
    token: 'header.claims.signature',
    scopesNow: async () => held,
  }
}

/** A call as a model wishes for it. */
export const call = (name: string, given: unknown = {}) => ({ tool: name, arguments: given })

/**
 * A shop's agent of the `llm` driver for all tests of the file that calls this, with its model and the API that its tools
 * call, started and closed by Vitest's hooks.
 */
export function shopAgentOfThisFile() {
  const { api, model } = modelAndApiOfThisFile()
  const build = (settings: object = {}) => {
    const parsed = llmAgentSchema({ allowLoopback: true }).parse({
      driver: 'llm',
      endpoint: model.url,
      model: 'test',
      instructions: 'You are the assistant of a shop. Be brief.',
      timeLimitSeconds: 5,
      ...settings,
    })
    return buildLlmAgent(parsed, toolsAt(api.origin))
  }
  const lastMessages = () => model.requests.at(-1)?.messages ?? []
  return {
    api,
    model,
    build,
    /** One turn of it. */
    run: (request: Partial<TurnRequest> = {}, settings: object = {}) =>
      runTurn(build(settings), turnRequest(request)),
    /** What the API was asked, such as `GET /hours`. */
    paths: () => api.calls.map(({ method, path }) => `${method} ${path}`),
    /** What the model was given last. */
    lastMessages,
    /** What it was told of its calls by then. */
    told: () => lastMessages().flatMap(({ role, content }) => (role === 'tool' ? [JSON.parse(content)] : [])),
  }
}
