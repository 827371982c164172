import type { BrandDelegation } from '#lib/brands/brand.ts'
import { makeVisible } from '#lib/platform/text.ts'

type Delegation = BrandDelegation | undefined

/** The ids of the scopes that a Brand defines, in its order. Without delegation: none. */
export function scopeIds(delegation: Delegation): string[] {
  return (delegation?.scopes ?? []).map(({ id }) => id)
}

/** The scopes of these ids that the Brand still defines, each once, in the Brand's order. */
export function findDefined(ids: Iterable<string>, delegation: Delegation): BrandDelegation['scopes'] {
  const wanted = new Set(ids)
  return (delegation?.scopes ?? []).filter(({ id }) => wanted.has(id))
}

/** The members of `scopes` that the Brand still defines, each once, in the Brand's order. */
export function keepDefined(scopes: Iterable<string>, delegation: Delegation): string[] {
  return findDefined(scopes, delegation).map(({ id }) => id)
}

/** A scope as a User reads it: its description, or its id where the Brand does not define it any more. */
export function describeScope(id: string, delegation: Delegation): string {
  const found = delegation?.scopes.find((scope) => scope.id === id)
  return makeVisible(found?.description ?? id)
}
