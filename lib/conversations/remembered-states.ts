import type { AgentState } from '#lib/agents/agent.ts'
import { expiringCache } from '#lib/platform/expiring-cache.ts'
import type { Owner } from './conversation.ts'

/** Conversations, and what is kept of them in all: characters of JSON, and of whose they are. */
const MOST = { conversations: 50_000, characters: 16_000_000 }
/** A conversation that rests for longer is looked up again: what Users say is not kept for nothing. In milliseconds. */
const KEPT_FOR = 600_000

/**
 * What agents remembered of conversations when this process last stored it, as it is stored. Another process may have stored
 * something else since: who uses it has the database compare.
 */
function states() {
  return expiringCache<string>('remembered-states', {
    max: MOST.conversations,
    maxSize: MOST.characters,
    sizeOf: (state, key) => state.length + key.length,
    ttl: KEPT_FOR,
  })
}

// With whose it is: to anybody else a conversation is not there (§4.2), and takes no longer than one that is not.
const keyOf = ({ brandId, personalAgentId, subject }: Owner, contextId: string) =>
  `${contextId} ${brandId} ${personalAgentId} ${subject}`

/** What an agent remembers, as it is stored. */
export function writeState(state: AgentState): string {
  return JSON.stringify(state)
}

/** Notes what has just been stored. @param state as {@link writeState} makes it; undefined: nothing is known any more */
export function noteStoredState(owner: Owner, contextId: string, state: string | undefined): void {
  if (state === undefined) states().delete(keyOf(owner, contextId))
  else states().set(keyOf(owner, contextId), state)
}

/** @returns what was stored last, as far as this process knows; undefined: it knows nothing */
export function findStoredState(owner: Owner, contextId: string): string | undefined {
  return states().get(keyOf(owner, contextId))
}
