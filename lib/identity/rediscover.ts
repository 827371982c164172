import { LRUCache } from 'lru-cache'
import { now } from '#lib/platform/clock.ts'
import { processState } from '#lib/platform/process-state.ts'
import { type Discovered, discoverIssuer } from './discover.ts'
import type { PersonalAgent } from './registry.ts'

export const rediscoveryLimits = {
  /** Milliseconds between two look-ups of an issuer whose keys fail. */
  pause: 5 * 60_000,
  /** Milliseconds after which it is looked up though they do not: the place that its keys have left may be another's now. */
  every: 60 * 60_000,
  issuers: 5_000,
} as const

/** What this process knows of one issuer. */
type Known = {
  /** When it was asked last, in milliseconds since 1970. */
  askedAt: number
  asking: Promise<void> | undefined
  /** What it said, and where the registry had its keys then. */
  said: { discovered: Discovered; insteadOf: string } | undefined
}

function knownOf({ issuer }: PersonalAgent): Known {
  const issuers = processState(
    'rediscovered-issuers',
    () => new LRUCache<string, Known>({ max: rediscoveryLimits.issuers }),
  )
  const known = issuers.get(issuer)
  if (known) return known
  const fresh: Known = { askedAt: 0, asking: undefined, said: undefined }
  issuers.set(issuer, fresh)
  return fresh
}

async function ask({ issuer, jwksUri }: PersonalAgent, known: Known): Promise<void> {
  const discovery = await discoverIssuer(issuer)
  if ('jwksUri' in discovery) known.said = { discovered: discovery, insteadOf: jwksUri }
  // Others took every place: it was not asked.
  if ('fault' in discovery && discovery.fault === 'discovery_busy') return
  known.askedAt = now()
}

/** One look-up for all who come meanwhile; none within `pause` milliseconds of the last. Never rejects. */
function askOnce(agent: PersonalAgent, known: Known, pause: number): Promise<void> | undefined {
  if (!known.asking && now() - known.askedAt < pause) return undefined
  known.asking ??= ask(agent, known).finally(() => {
    known.asking = undefined
  })
  return known.asking
}

/** What was said of an earlier place of the keys is old: another process has stored where they are. */
function readMove({ jwksUri }: PersonalAgent, { said }: Known): Discovered | undefined {
  return said?.insteadOf === jwksUri && said.discovered.jwksUri !== jwksUri ? said.discovered : undefined
}

/**
 * Where the keys of a discovered personal agent have moved to, as its issuer said last (§3.1, open trust policy); undefined:
 * they are where the registry has them. An issuer that was not asked for an hour is asked beside the request.
 */
export function findMove(agent: PersonalAgent): Discovered | undefined {
  const known = knownOf(agent)
  void askOnce(agent, known, rediscoveryLimits.every)
  return readMove(agent, known)
}

/**
 * Asks the issuer of a discovered personal agent whose keys fail where they are now; not again within five minutes.
 *
 * @returns as {@link findMove}. Never rejects.
 */
export async function lookForMove(agent: PersonalAgent): Promise<Discovered | undefined> {
  const known = knownOf(agent)
  await askOnce(agent, known, rediscoveryLimits.pause)
  return readMove(agent, known)
}
