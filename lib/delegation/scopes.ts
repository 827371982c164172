import type { BrandDelegation } from '#lib/brands/brand.ts'

/** The ids of the scopes that a Brand defines, in its order. Without delegation: none. */
export function scopeIds(delegation: BrandDelegation | undefined): string[] {
  return (delegation?.scopes ?? []).map(({ id }) => id)
}

/** The members of `scopes` that the Brand still defines, each once, in the Brand's order. */
export function keepDefined(scopes: Iterable<string>, delegation: BrandDelegation | undefined): string[] {
  const wanted = new Set(scopes)
  return scopeIds(delegation).filter((id) => wanted.has(id))
}
