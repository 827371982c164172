import type { delegateToDemoBrand } from '#e2e/harness/demo-brand.ts'
import { startOrderBot } from '#e2e/harness/order-bot.ts'
import type { buildTestProvision } from '#e2e/harness/provision.ts'
import { findUnusedPort } from '#e2e/harness/start.ts'
import { obeyDirectives } from '#examples/model/directives.ts'
import { answerByRules } from '#examples/model/rules.ts'
import { serveModel } from '#examples/model/serve.ts'
import type { Target } from './environment.ts'
import type { OwnEnvironment } from './own-environment.ts'

type TestBrand = ReturnType<typeof buildTestProvision>['brands'][number]
type DelegatingBrand = ReturnType<typeof delegateToDemoBrand<TestBrand>>

/** The agent of the Brand that is tested, and what makes it do what the suite wants to see. */
type OwnAgent = {
  texts: Pick<Target, 'closingText' | 'failingText' | 'delegatedText'>
  /** The test Brand with this agent. */
  give(brand: DelegatingBrand): object
  /** Once the Provider serves; nothing has been sent before. @param interfaceUrl the Brand's */
  open?(interfaceUrl: string): Promise<void>
  close(): Promise<void>
}

/** The test Brand's own agent. `stuck`: it takes longer over it than its time limit. */
async function scriptedAgent(closingText: string): Promise<OwnAgent> {
  return {
    texts: { closingText, failingText: 'stuck', delegatedText: 'Show my orders' },
    give: (brand) => brand,
    close: async () => {},
  }
}

const rules = {
  rules: [
    { when: { answered: 'list_orders', answer: '"number":"(?<number>[^"]+)"' }, say: 'There is {number}.' },
    { when: { answered: 'list_orders' }, say: 'I may not see them.' },
    { when: { user: 'my orders', offered: 'list_orders' }, call: [{ tool: 'list_orders' }] },
  ],
  fallback: 'You are welcome.',
}

/** A model speaks for the Brand. It never ends a conversation. */
async function modelAgent(): Promise<OwnAgent> {
  const model = await serveModel(obeyDirectives(answerByRules(rules)))
  return {
    texts: { closingText: undefined, failingText: '[[broken]]', delegatedText: 'Show my orders' },
    give: (brand) => ({
      ...brand,
      agent: {
        driver: 'llm',
        endpoint: model.url,
        model: 'orders',
        instructions: 'You help with orders.',
        tools: brand.agent.tools,
      },
    }),
    close: model.close,
  }
}

/** The Brand has a bot of its own. `stuck`: it never answers. */
async function botAgent({ closingText, brandUrl }: OwnAgentOptions): Promise<OwnAgent> {
  const url = `http://localhost:${await findUnusedPort()}/turn`
  let stop = async () => {}
  return {
    texts: { closingText, failingText: 'stuck', delegatedText: 'Show my orders' },
    give: (brand) => ({
      ...brand,
      agent: { driver: 'webhook', url, timeLimitSeconds: brand.agent.timeLimitSeconds },
    }),
    open: async (interfaceUrl) => {
      stop = await startOrderBot({ url, interfaceUrl, api: `${brandUrl}/api` })
    },
    close: () => stop(),
  }
}

type OwnAgentOptions = {
  /** What ends a conversation, where the agent can do that. */
  closingText: string
  /** Where the demo Brand is going to be. */
  brandUrl: string
}

/** The agent of this driver, ready to be given to the Brand that is tested. */
export function startOwnAgent(driver: OwnEnvironment['driver'], options: OwnAgentOptions): Promise<OwnAgent> {
  if (driver === 'webhook') return botAgent(options)
  return driver === 'llm' ? modelAgent() : scriptedAgent(options.closingText)
}
