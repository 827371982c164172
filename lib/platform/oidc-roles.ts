import { z } from 'zod'
import { isMap } from './json-map.ts'

/** A role that single sign-on gives to whoever has a claim with a value. */
export type OidcRole = {
  /** A claim's name; dots lead into it, as in `realm_access.roles`. */
  claim: string
  value: string
  role: { provider: 'admin' | 'auditor' } | { brand: string; role: 'manager' | 'viewer' }
}

const rule = 'must be rules such as `groups:pact-admins=admin; groups:loom=manager@BRANDID`'

// A claim's name may be a URL, a value may hold colons and equals signs.
const RULE = /^((?:https?:\/\/)?[^:=\s]+):(.+)=(?:(admin|auditor)|(manager|viewer)@([0-9A-HJKMNP-TV-Z]{26}))$/

function readRule(text: string): OidcRole | undefined {
  const [, claim, value, provider, role, brand] = RULE.exec(text) ?? []
  if (!claim || !value) return undefined
  if (provider === 'admin' || provider === 'auditor')
    return { claim, value: value.trim(), role: { provider } }
  if ((role !== 'manager' && role !== 'viewer') || !brand) return undefined
  return { claim, value: value.trim(), role: { brand, role } }
}

/** `AUTH_OIDC_ROLES`: `claim:value=role`, several separated by semicolons. Roles: `admin`, `auditor`, `manager@BRANDID`, `viewer@BRANDID`. */
export const oidcRolesSchema = z.string().transform((text, context): OidcRole[] => {
  const rules = text.split(';').flatMap((each) => (each.trim() ? [readRule(each.trim())] : []))
  const known = rules.filter((each) => each !== undefined)
  if (known.length < rules.length) context.addIssue({ code: 'custom', message: rule })
  return known
})

/** A claim's values as texts. Its full name goes before the way into it: names may hold dots. */
function valuesOf(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  const direct = claims[claim]
  const found =
    direct ?? claim.split('.').reduce<unknown>((at, step) => (isMap(at) ? at[step] : undefined), claims)
  return [found]
    .flat()
    .flatMap((each) =>
      typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean' ? [String(each)] : [],
    )
}

/** The roles that a user's claims give, in the order of the rules. */
export function rolesFromClaims(
  rules: readonly OidcRole[],
  claims: Readonly<Record<string, unknown>>,
): OidcRole['role'][] {
  return rules.filter(({ claim, value }) => valuesOf(claims, claim).includes(value)).map(({ role }) => role)
}
