import type { Stored } from './read-stored.ts'

/**
 * What somebody saw, and when it had been changed last: a Brand by its id, a personal agent by its issuer. `since` is
 * undefined for what did not exist yet.
 */
export type Unchanged =
  | { kind: 'provider'; since: Date }
  | { kind: 'brand'; id: string; since: Date | undefined }
  | { kind: 'personal agent'; issuer: string; since: Date | undefined }

/** Somebody else has changed it meanwhile, or it is gone. Nothing was applied. */
export class StaleEditError extends Error {
  override name = 'StaleEditError'
}

function findVersion(unchanged: Unchanged, stored: Stored): Date | undefined {
  if (unchanged.kind === 'provider') return stored.provider?.updatedAt
  if (unchanged.kind === 'brand') return stored.brands.find(({ id }) => id === unchanged.id)?.updatedAt
  return stored.personalAgents.find(({ issuer }) => issuer === unchanged.issuer)?.updatedAt
}

/** @throws StaleEditError unless it was changed last when `unchanged` says */
export function assertUnchanged(unchanged: Unchanged, stored: Stored): void {
  if (findVersion(unchanged, stored)?.getTime() !== unchanged.since?.getTime()) {
    throw new StaleEditError(`The ${unchanged.kind} was changed by somebody else`)
  }
}
