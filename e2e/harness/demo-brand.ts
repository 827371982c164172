import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildBrand } from '#examples/brand/app.ts'
import { serveBrand } from '#examples/brand/serve.ts'

const SCOPES = {
  'orders:read': 'Look up your orders and their status',
  'orders:cancel': 'Cancel an order that has not shipped',
}

/** A Brand as the provision file has it, as far as delegation changes it. */
type ProvisionedBrand = { agent: { rules: unknown[] } }

/**
 * The Brand with the demo Brand's login, scopes and API: its agent shows the orders to who says "my orders".
 *
 * @param brandUrl where the demo Brand is going to be
 */
export function delegateToDemoBrand<T extends ProvisionedBrand>(brand: T, brandUrl: string) {
  return {
    ...brand,
    delegation: {
      login: {
        url: `${brandUrl}/login`,
        issuer: brandUrl,
        jwksUri: `${brandUrl}/.well-known/jwks.json`,
        afterConsentUrl: `${brandUrl}/connected`,
      },
      scopes: Object.entries(SCOPES).map(([id, description]) => ({ id, description })),
    },
    agent: {
      ...brand.agent,
      tools: [
        {
          name: 'list_orders',
          description: 'The orders.',
          scope: 'orders:read',
          request: { method: 'GET', url: `${brandUrl}/api/orders` },
        },
      ],
      rules: [
        {
          when: { words: ['my orders'] },
          call: [{ tool: 'list_orders', as: 'orders' }],
          reply: '{% for o in orders.orders %}{{ o.number }}: {{ o.status }}. {% endfor %}',
        },
        ...brand.agent.rules,
      ],
    },
  }
}

/** Starts the demo Brand for a Provider's Brand. @returns what stops it */
export async function startDemoBrand(brandUrl: string, interfaceUrl: string): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-brand-'))
  const stop = await serveBrand(await buildBrand({ brandUrl, interfaceUrl, dataDir }), brandUrl)
  return async () => {
    await stop()
    await rm(dataDir, { recursive: true })
  }
}
