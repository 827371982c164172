import { startTestProvider } from '#e2e/harness/provider.ts'
import type { Target } from './environment.ts'

/** Low enough for a burst of one User to be held up, high enough for the rest of the suite not to be. */
const limits = {
  perPersonalAgent: { requests: 100_000, perSeconds: 1 },
  perUser: { requests: 100, perSeconds: 1 },
}

/** Starts this project's own Provider on an empty database, for the suite to test. */
export async function startOwnProvider(): Promise<{ target: Target; close(): Promise<void> }> {
  const provider = await startTestProvider({ limits })
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
    rateLimitBurst: 1000,
  }
  return { target, close: () => provider.close() }
}
