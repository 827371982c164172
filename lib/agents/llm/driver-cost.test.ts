import { expect, it } from 'vitest'
import { measureCpu } from '#e2e/harness/cpu-cost.ts'
import { startModelProcess } from '#e2e/harness/model-process.ts'
import { turnRequest } from '#e2e/harness/turn-request.ts'
import { llmAgentSchema } from '../llm-schema.ts'
import { runTurn } from '../run-turn.ts'
import { buildLlmAgent } from './llm-agent.ts'

const past = Array.from({ length: 20 }, (_, n) => ({
  text: `Are you open on Sunday? ${n}`,
  reply: 'We are open from Monday to Friday, 8:00 to 18:00. At the weekend the emergency number is 555 0142.',
}))

it('a turn costs less than 5 ms beside what the model takes, with twenty turns before it', async () => {
  const { url, stop } = await startModelProcess()
  const settings = {
    driver: 'llm',
    endpoint: url,
    model: 'willow-lane',
    instructions: 'Be polite. '.repeat(600),
  }
  const agent = buildLlmAgent(llmAgentSchema({ allowLoopback: true }).parse(settings), [])
  const request = turnRequest({ text: 'And on Saturday?', history: async () => past })
  const cost = await measureCpu(() => runTurn(agent, request))
  stop()
  expect(cost).toBeLessThan(5)
})
