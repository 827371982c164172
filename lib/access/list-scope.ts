import type { brandFilter } from './permissions.ts'

/**
 * The Brands that a list reads, from what {@link brandFilter} allows; undefined: all of them. A list of several reads each
 * one's newest rows from its own index.
 */
export function listedBrands({ brandId }: ReturnType<typeof brandFilter>): string[] | undefined {
  if (brandId === undefined) return undefined
  return typeof brandId === 'string' ? [brandId] : brandId.in
}
