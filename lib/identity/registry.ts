import { prisma } from '#lib/platform/database.ts'
import { processState } from '#lib/platform/process-state.ts'
import { revisionCache } from '#lib/platform/revision-cache.ts'
import type { PersonalAgent as StoredPersonalAgent } from '#prisma/generated/client.ts'
import type { Discovered } from './discover.ts'
import { takeNewcomerPlace } from './newcomer-limits.ts'
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
  /** Discovered: found through its issuer, under the open trust policy; nobody but the issuer says where its keys are. */
  origin: 'registered' | 'discovered'
  limits: LimitOverrides | undefined
}

function toPersonalAgent(stored: StoredPersonalAgent): PersonalAgent {
  const { id, issuer, jwksUri, name, enabled, origin } = stored
  return {
    id,
    issuer,
    jwksUri,
    name,
    enabled,
    origin,
    limits: limitOverridesSchema.nullable().parse(stored.limits) ?? undefined,
  }
}

const provider = revisionCache<ProviderFacts>('provider', async () => {
  const stored = await prisma().provider.findUnique({ where: { id: 1 } })
  if (!stored) return undefined
  const { organization, audience, trust } = stored
  return { organization, audience, trust, limits: limitsSchema.parse(stored.limits) }
})

async function readPersonalAgent(issuer: string): Promise<PersonalAgent | undefined> {
  const stored = await prisma().personalAgent.findUnique({ where: { issuer } })
  return stored ? toPersonalAgent(stored) : undefined
}

const personalAgents = revisionCache<PersonalAgent>('personal-agents', readPersonalAgent)

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

const personalAgentsById = revisionCache<PersonalAgent>('personal-agents-by-id', async (id) => {
  const stored = await prisma().personalAgent.findUnique({ where: { id } })
  return stored ? toPersonalAgent(stored) : undefined
})

/** The personal agent of this row, enabled or not, less than a second old. @throws when there is none */
export async function getPersonalAgentById(id: string): Promise<PersonalAgent> {
  const found = await personalAgentsById(id)
  if (!found) throw new Error(`there is no personal agent ${id}`)
  return found
}

function isAsFound({ origin, jwksUri }: PersonalAgent, found: Discovered): boolean {
  return origin === 'registered' || jwksUri === found.jwksUri
}

async function store(found: Discovered, known: PersonalAgent | undefined): Promise<void> {
  const { jwksUri } = found
  if (!known) {
    const data = { ...found, origin: 'discovered' as const }
    await prisma().personalAgent.createMany({ data, skipDuplicates: true })
    return
  }
  const where = { id: known.id, origin: 'discovered' as const, jwksUri: known.jwksUri }
  await prisma().personalAgent.updateMany({ where, data: { jwksUri } })
}

async function record(found: Discovered): Promise<PersonalAgent | undefined> {
  const { issuer } = found
  // The row of another process takes no place: this one's cache may have missed it, for it raises no revision.
  const known = await readPersonalAgent(issuer)
  const isKnown = known !== undefined && isAsFound(known, found)
  if (!isKnown && !(await takeNewcomerPlace(issuer))) return undefined
  if (!isKnown) await store(found, known)
  personalAgents.forget(issuer)
  return isKnown ? known : readPersonalAgent(issuer)
}

/**
 * Records a personal agent that was found through its issuer (§3.1, open trust policy), or where its keys have moved to. One
 * that somebody registered stays as it is. Another process may do the same at the same moment: the first row stays.
 *
 * @returns undefined when `newcomerLimits` allow no further one
 */
export function recordDiscovered(found: Discovered): Promise<PersonalAgent | undefined> {
  const recording = processState(
    'recording-newcomers',
    () => new Map<string, Promise<PersonalAgent | undefined>>(),
  )
  const joined = recording.get(found.issuer)
  if (joined) return joined
  const started = record(found).finally(() => recording.delete(found.issuer))
  recording.set(found.issuer, started)
  return started
}
