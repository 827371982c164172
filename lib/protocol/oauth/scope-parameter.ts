import type { Brand } from '#lib/brands/brand.ts'
import { keepDefined } from '#lib/delegation/scopes.ts'

/**
 * Reads a `scope` parameter (RFC 6749 §3.3): ids with spaces between, in any order.
 *
 * @returns each scope once, in the Brand's order; undefined (`invalid_scope`) when there is none, or one that the Brand
 *   does not define (§5.3)
 */
export function readScopes(parameter: string | undefined, brand: Brand): string[] | undefined {
  const asked = new Set((parameter ?? '').split(' ').filter((scope) => scope !== ''))
  const scopes = keepDefined(asked, brand.delegation)
  return asked.size > 0 && scopes.length === asked.size ? scopes : undefined
}
