import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { ToolArguments } from './argument-schema.ts'

/**
 * §5.6 `argsHash`: the base64url SHA-256 of a call's arguments in RFC 8785 form, so that who knows them can prove them and
 * who does not learns nothing.
 *
 * @throws when the arguments have no canonical form (lone surrogates, numbers that are not finite)
 */
export function hashArguments(values: ToolArguments): string {
  const canonical = canonicalize(values)
  if (canonical === undefined) throw new Error('the arguments have no canonical form')
  return createHash('sha256').update(canonical).digest('base64url')
}
