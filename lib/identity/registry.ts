import { prisma } from '#lib/platform/database.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import type { PersonalAgent as StoredPersonalAgent } from '#prisma/generated/client.ts'
import { type LimitOverrides, type Limits, limitOverridesSchema, limitsSchema } from './schema.ts'

/** The Provider's settings, as requests need them. */
export type ProviderFacts = {
  organization: string
  /** §3.1: goes in `aud` verbatim. */
  audience: string
  trust: 'allowlist' | 'open'
  limits: Limits
}

/** A personal agent in the registry (§3.1). */
export type PersonalAgent = {
  id: string
  issuer: string
  jwksUri: string
  name: string
  enabled: boolean
  limits: LimitOverrides | undefined
}

function toPersonalAgent(stored: StoredPersonalAgent): PersonalAgent {
  const { id, issuer, jwksUri, name, enabled } = stored
  return {
    id,
    issuer,
    jwksUri,
    name,
    enabled,
    limits: limitOverridesSchema.nullable().parse(stored.limits) ?? undefined,
  }
}

const provider = revisionCache<ProviderFacts>('provider', async () => {
  const stored = await prisma().provider.findUnique({ where: { id: 1 } })
  if (!stored) return undefined
  const { organization, audience, trust } = stored
  return { organization, audience, trust, limits: limitsSchema.parse(stored.limits) }
})

const personalAgents = revisionCache<PersonalAgent>('personal-agents', async (issuer) => {
  const stored = await prisma().personalAgent.findUnique({ where: { issuer } })
  return stored ? toPersonalAgent(stored) : undefined
})

/** The Provider's settings, less than a second old; undefined before the first provision file. */
export function findProvider(): Promise<ProviderFacts | undefined> {
  return provider('')
}

/** The Provider's settings, less than a second old. @throws when there are none: only for callers that were let in by them */
export async function getProvider(): Promise<ProviderFacts> {
  const found = await findProvider()
  if (!found) throw new Error('the Provider has no settings')
  return found
}

/** The personal agent whose issuer is exactly `issuer` (§3.1), enabled or not, less than a second old. */
export function findPersonalAgent(issuer: string): Promise<PersonalAgent | undefined> {
  return personalAgents(issuer)
}

/**
 * Records a personal agent that was found through its issuer (§3.1, open trust policy). Another process may do the same
 * at the same moment: the first row stays.
 */
export async function recordDiscovered(found: {
  issuer: string
  jwksUri: string
  name: string
}): Promise<PersonalAgent> {
  await prisma().personalAgent.createMany({ data: { ...found, origin: 'discovered' }, skipDuplicates: true })
  return toPersonalAgent(await prisma().personalAgent.findUniqueOrThrow({ where: { issuer: found.issuer } }))
}
