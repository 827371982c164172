import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Viewer } from './permissions.ts'
import { TooOftenError, takeTrial, trialLimits } from './trial-limit.ts'

const somebody = (): Viewer => ({
  userId: randomUUID(),
  email: 'm@b.example',
  name: null,
  providerRole: null,
  brandRoles: new Map(),
})

it('a console user tries so often in a minute, each kind for itself, and nobody else’s trials count', async () => {
  const viewer = somebody()
  for (let n = 0; n < trialLimits.checks; n++) await takeTrial(viewer, 'checks')
  const refusal = await takeTrial(viewer, 'checks').catch((error: unknown) => error)
  if (!(refusal instanceof TooOftenError)) throw new Error('was not refused')
  expect(refusal.retryAfter).toBeGreaterThan(0)
  expect(refusal.retryAfter).toBeLessThanOrEqual(60)
  await takeTrial(viewer, 'turn')
  await takeTrial(somebody(), 'checks')
})
