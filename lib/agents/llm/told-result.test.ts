import { expect, it } from 'vitest'
import { startModel } from '#e2e/harness/model-endpoint.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import type { TraceStep } from '../agent.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import type { CalledApi } from '../tools/call-api.ts'
import { toolSchema } from '../tools/schema.ts'
import { buildLlmAgent } from './llm-agent.ts'
import { tellResult } from './told-result.ts'

it.each(['address', 'credential', 'unreachable', 'timeout'])(
  'why a call reached nobody (%s) is told to who tries the agent, and not to the model',
  async (reason) => {
    const model = await startModel()
    model.answerInTurn({ calls: [{ tool: 'look', arguments: {} }] }, { text: 'I could not look.' })
    const tool = toolSchema({ allowLoopback: true }).parse({
      name: 'look',
      description: 'Looks.',
      request: { method: 'GET', url: 'https://api.example/look' },
    })
    const settings = { driver: 'llm', endpoint: model.url, model: 'test', instructions: 'Be brief.' }
    const agent = buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), [tool])
    const steps: TraceStep[] = []
    const failure: CalledApi = { ok: false, reason, status: undefined, sent: false }
    await runTurn(agent, turnRequest({ callApi: async () => failure, trace: (step) => steps.push(step) }))
    await model.close()
    expect(steps[1]).toMatchObject({ kind: 'tool', fault: expect.stringContaining(reason) })
    const [told] = (model.requests.at(-1)?.messages ?? []).filter(({ role }) => role === 'tool')
    expect(told && JSON.parse(told.content)).toEqual({
      error: 'The call could not be made: nothing was done.',
    })
  },
)

it('an answer that nobody can look through is told as none', () => {
  const value = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
  expect(tellResult({ ok: true, value }, { maxBytes: 1_000, token: 'a.b.c.d.e' })).toEqual({ answer: null })
})
