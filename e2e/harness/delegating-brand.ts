import type { Brand } from '#lib/brands/brand.ts'
import { findBrand } from '#lib/brands/registry.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { findPersonalAgent } from '#lib/identity/registry.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { readProvision } from '#lib/provisioning/read-provision.ts'
import { freshDatabase } from './database.ts'
import type { TestPersonalAgent } from './personal-agents.ts'
import { BRAND_ID, buildTestProvision } from './provision.ts'

/** The scopes of a Brand that offers delegation in tests, in its order. */
export const SCOPES = ['orders:read', 'orders:cancel', 'refunds:issue'] as const

/** The delegation block of such a Brand. Its login is nowhere: a test decides in place of a browser. */
export function buildDelegation(scopes: readonly string[] = SCOPES) {
  return {
    login: {
      url: 'https://brand.example/login?lang=en',
      issuer: 'https://brand.example',
      jwksUri: 'https://brand.example/jwks.json',
    },
    grantDays: 30,
    scopes: scopes.map((id) => ({ id, description: `May do ${id}` })),
  }
}

/** The test provision, with delegation at the first Brand and not at the second. */
export function buildDelegatingProvision(
  personalAgents: readonly TestPersonalAgent[],
  delegation: unknown = buildDelegation(),
) {
  const provision = buildTestProvision(personalAgents)
  const [first, ...others] = provision.brands
  return { ...provision, brands: [{ ...first, delegation }, ...others] }
}

/** Applies what {@link buildDelegatingProvision} builds to the process's own database. */
export async function provideDelegation(
  personalAgents: readonly TestPersonalAgent[],
  delegation?: unknown,
): Promise<void> {
  const content = JSON.stringify(buildDelegatingProvision(personalAgents, delegation))
  const read = readProvision(content, { file: 'test', allowLoopback: true })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  await applyProvision(read.provision, { dryRun: false })
  forgetConfirmation()
}

const nobody = (name: string): TestPersonalAgent => ({
  name,
  issuer: `https://${name}.example`,
  jwksUri: `https://${name}.example/jwks.json`,
  privateJwk: {},
})

/** A database of a test's own with one Brand that offers delegation, and two personal agents without keys. */
export async function openDelegatingDatabase() {
  log().level = 'silent'
  const database = await freshDatabase()
  setDatabaseUrl(database.url)
  const agents = [nobody('first'), nobody('second')]
  await provideDelegation(agents)
  const callerOf = async (index: number, subject: string): Promise<Caller> => {
    const personalAgent = await findPersonalAgent(agents[index]?.issuer ?? '')
    if (!personalAgent) throw new Error('no such personal agent')
    return { personalAgent, subject }
  }
  return {
    url: database.url,
    brandId: BRAND_ID,
    caller: await callerOf(0, 'user-1'),
    /** The same personal agent for another User, and another one for a User of the same name. */
    strangers: [await callerOf(0, 'user-2'), await callerOf(1, 'user-1')],
    /** The Brand as it is at this moment. */
    async brand(): Promise<Brand> {
      forgetConfirmation()
      const brand = await findBrand(BRAND_ID)
      if (!brand) throw new Error('no Brand')
      return brand
    },
    /** What the Brand offers from here on. */
    provide: (scopes: readonly string[]) => provideDelegation(agents, buildDelegation(scopes)),
    /** Takes the database away. */
    drop: () => database.drop(),
    async close() {
      await closeDatabase()
      await database.drop()
    },
  }
}
