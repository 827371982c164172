import { LRUCache } from 'lru-cache'
import type { AgentState } from '#lib/agents/agent.ts'
import { processState } from '#lib/platform/process-state.ts'

/** What is kept in all, in characters of JSON. */
const MOST_CHARACTERS = 8_000_000
/** A conversation that rests for longer is looked up again, in milliseconds: what Users say is not kept for nothing. */
const KEPT_FOR = 600_000

type Key = { brandId: string; contextId: string }

/**
 * What agents remembered of conversations when this process last stored it, as it is stored. Another process may have stored
 * something else since: who uses it has the database compare.
 */
function states(): LRUCache<string, string> {
  return processState(
    'remembered-states',
    () =>
      new LRUCache<string, string>({
        maxSize: MOST_CHARACTERS,
        sizeCalculation: (state, key) => state.length + key.length,
        ttl: KEPT_FOR,
        ttlResolution: 1_000,
      }),
  )
}

const keyOf = ({ brandId, contextId }: Key) => `${brandId} ${contextId}`

/** What an agent remembers, as it is stored. */
export function writeState(state: AgentState): string {
  return JSON.stringify(state)
}

/** Notes what has just been stored. @param state as {@link writeState} makes it */
export function noteStoredState(conversation: Key, state: string): void {
  states().set(keyOf(conversation), state)
}

/** @returns what was stored last, as far as this process knows; undefined: it knows nothing */
export function findStoredState(conversation: Key): string | undefined {
  return states().get(keyOf(conversation))
}
