import { join } from 'node:path'
import { delegateToDemoBrand, startDemoBrand } from '#e2e/harness/demo-brand.ts'
import { startTestProvider } from '#e2e/harness/provider.ts'
import { buildTestProvision } from '#e2e/harness/provision.ts'
import { findUnusedPort } from '#e2e/harness/start.ts'
import type { Target } from './environment.ts'

/** Low enough for a burst of one User to be held up, high enough for the rest of the suite not to be. */
const limits = {
  perPersonalAgent: { requests: 100_000, perSeconds: 1 },
  perUser: { requests: 100, perSeconds: 1 },
}

/**
 * Starts this project's own Provider on an empty database, for the suite to test. The demo Brand is the login and the API of
 * its first Brand.
 */
export async function startOwnProvider(): Promise<{ target: Target; close(): Promise<void> }> {
  const brandUrl = `http://localhost:${await findUnusedPort()}`
  const provider = await startTestProvider({
    provision(personalAgents) {
      const { brands, ...rest } = buildTestProvision(personalAgents, limits)
      const [first, ...others] = brands
      return { ...rest, brands: [first && delegateToDemoBrand(first, brandUrl), ...others] }
    },
  })
  const stopBrand = await startDemoBrand(brandUrl, `${provider.url}/a2a/${provider.brandId}`)
  const target: Target = {
    providerUrl: provider.url,
    brandId: provider.brandId,
    otherBrandId: provider.otherBrandId,
    audience: provider.audience,
    personalAgent: provider.personalAgent,
    otherPersonalAgent: provider.otherPersonalAgent,
    disabledPersonalAgent: provider.disabledPersonalAgent,
    messageText: 'Hello',
    closingText: provider.closingText,
    // The test Brand's agent takes longer over it than its time limit.
    failingText: 'stuck',
    delegatedText: 'Show my orders',
    brandLogin: join(import.meta.dirname, 'own-brand-login.ts'),
    rateLimitBurst: 1000,
  }
  return {
    target,
    async close() {
      await stopBrand()
      await provider.close()
    },
  }
}
