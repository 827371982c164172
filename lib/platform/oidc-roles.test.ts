import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { oidcRolesSchema, rolesFromClaims } from './oidc-roles.ts'

const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'

describe('AUTH_OIDC_ROLES', () => {
  it('gives roles to claims: lists, single values, names that lead into a claim or are URLs', () => {
    const rules = oidcRolesSchema.parse(
      `groups:pact-admins=admin; realm_access.roles:a=b=auditor;https://x.example/team:loom=manager@${BRAND};`,
    )
    expect(rolesFromClaims(rules, { groups: ['other', 'pact-admins'] })).toEqual([{ provider: 'admin' }])
    expect(rolesFromClaims(rules, { groups: 'pact-admins' })).toEqual([{ provider: 'admin' }])
    expect(rolesFromClaims(rules, { realm_access: { roles: ['a=b'] } })).toEqual([{ provider: 'auditor' }])
    expect(rolesFromClaims(rules, { 'https://x.example/team': 'loom' })).toEqual([
      { brand: BRAND, role: 'manager' },
    ])
    for (const claims of [{}, { groups: ['pact'] }, { groups: { 'pact-admins': true } }]) {
      expect(rolesFromClaims(rules, claims)).toEqual([])
    }
  })

  it.each(['admin', 'groups=admin', 'groups:x=owner', 'groups:x=manager', 'groups:x=admin; y'])(
    '%s stops the process with one line',
    (AUTH_OIDC_ROLES) => {
      expect(() => readConfig({ AUTH_OIDC_ROLES })).toThrow(/^AUTH_OIDC_ROLES must be rules such as/)
    },
  )
})
