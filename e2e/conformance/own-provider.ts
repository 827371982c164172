import { join } from 'node:path'
import { delegateToDemoBrand, startDemoBrand } from '#e2e/harness/demo-brand.ts'
import { startTestProvider } from '#e2e/harness/provider.ts'
import { buildTestProvision, CLOSING_TEXT } from '#e2e/harness/provision.ts'
import { startRoundRobin } from '#e2e/harness/round-robin.ts'
import { findUnusedPort } from '#e2e/harness/start.ts'
import type { Target } from './environment.ts'
import { startOwnAgent } from './own-agents.ts'
import type { OwnEnvironment } from './own-environment.ts'

/**
 * Low enough for a burst of one User to be held up, high enough for the rest of the suite not to be. Each process counts for
 * itself: together they let through as many as one.
 */
function buildLimits(instances: number) {
  return {
    perPersonalAgent: { requests: 100_000, perSeconds: 1 },
    perUser: { requests: Math.floor(100 / instances), perSeconds: 1 },
  }
}

type OwnProvider = { target: Target; close(): Promise<void> }

/**
 * Starts this project's own Provider on an empty database, for the suite to test. The demo Brand is the login and the API of
 * its first Brand.
 *
 * @param own how many processes share the database (requests go to one after the other), and what the agent is
 */
export async function startOwnProvider({ instances, driver }: OwnEnvironment): Promise<OwnProvider> {
  if (instances === 1) return startProcesses({ instances, driver })
  const roundRobin = await startRoundRobin()
  const own = await startProcesses({ instances, driver, providerUrl: roundRobin.url })
  roundRobin.spreadOver(own.urls)
  return {
    target: { ...own.target, providerUrl: roundRobin.url },
    async close() {
      await own.close()
      await roundRobin.close()
      const [least = 0, most = 0] = [Math.min(...roundRobin.counts), Math.max(...roundRobin.counts)]
      if (roundRobin.counts.length !== instances || most - least > 1)
        throw new Error(`the instances got ${roundRobin.counts.join(', ')} requests`)
    },
  }
}

async function startProcesses({ instances, driver, providerUrl }: OwnEnvironment & { providerUrl?: string }) {
  const brandUrl = `http://localhost:${await findUnusedPort()}`
  const agent = await startOwnAgent(driver, { closingText: CLOSING_TEXT, brandUrl })
  const provider = await startTestProvider({
    ...(providerUrl === undefined ? {} : { providerUrl }),
    provision(personalAgents) {
      const { brands, ...rest } = buildTestProvision(personalAgents, buildLimits(instances))
      const [first, ...others] = brands
      // One Brand with streaming and one without: each is tested.
      const streaming = first && {
        ...agent.give(delegateToDemoBrand(first, brandUrl)),
        conversation: { streaming: true },
      }
      return { ...rest, brands: [streaming, ...others] }
    },
  })
  const urls = [provider.url]
  while (urls.length < instances) urls.push((await provider.startProcess()).url)
  const interfaceUrl = `${providerUrl ?? provider.url}/a2a/${provider.brandId}`
  const stopBrand = await startDemoBrand(brandUrl, interfaceUrl)
  await agent.open?.(interfaceUrl)
  const target: Target = {
    providerUrl: provider.url,
    brandId: provider.brandId,
    otherBrandId: provider.otherBrandId,
    audience: provider.audience,
    personalAgent: provider.personalAgent,
    otherPersonalAgent: provider.otherPersonalAgent,
    publishNewKey: () => provider.publishNewKey(provider.otherPersonalAgent),
    disabledPersonalAgent: provider.disabledPersonalAgent,
    messageText: 'Hello',
    ...agent.texts,
    brandLogin: join(import.meta.dirname, 'own-brand-login.ts'),
    rateLimitBurst: 1000,
  }
  return {
    target,
    urls,
    async close() {
      await stopBrand()
      await provider.close()
      await agent.close()
    },
  }
}
