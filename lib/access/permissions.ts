import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'

/** Who may do something: with which roles at the Provider, and with which at the Brand that it concerns. */
type Rule = { provider: readonly ProviderRole[]; brand: readonly BrandRole[] }

const admins = { provider: ['admin'], brand: [] } as const satisfies Rule
const staff = { provider: ['admin', 'auditor'], brand: [] } as const satisfies Rule
const readers = { provider: ['admin', 'auditor'], brand: ['manager', 'viewer'] } as const satisfies Rule
const managers = { provider: ['admin'], brand: ['manager'] } as const satisfies Rule

/** The one table of who may what in the console and its API. An auditor reads everything and changes nothing of others'. */
export const rules = {
  'home.read': readers,
  'personal-agents.read': staff,
  'personal-agents.write': admins,
  'tokens.check': staff,
  'brands.read': readers,
  'brands.write': managers,
  'brands.create': admins,
  'brands.archive': admins,
  'brands.unmask': admins,
  'brands.networks': admins,
  'keys.read': readers,
  'keys.write': managers,
  'usage.read': readers,
  'conversations.read': readers,
  'conversations.write': managers,
  'grants.read': readers,
  'grants.revoke': managers,
  'receipts.read': readers,
  'receipts.export': readers,
  'refusals.read': staff,
  'audit.read': { provider: ['admin', 'auditor'], brand: ['manager'] },
  'settings.read': staff,
  'settings.write': admins,
  'members.read': { provider: ['admin', 'auditor'], brand: ['manager'] },
  'members.write': managers,
  'provision.export': admins,
  /** Of one's own API tokens. */
  'api-tokens.read': readers,
  'api-tokens.write': readers,
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof rules

export const permissions = Object.keys(rules) as Permission[]

/** Someone who is signed in, and as what. It is built from the database for every request. */
export type Viewer = {
  userId: string
  email: string
  name: string | null
  providerRole: ProviderRole | null
  brandRoles: ReadonlyMap<string, BrandRole>
  /** Of an API token: what it is narrowed to. */
  only?: { permissions: readonly string[]; brandId: string | null }
}

/** The viewer may not do this, or not here. Pages answer as if the thing did not exist. */
export class ForbiddenError extends Error {
  override name = 'ForbiddenError'
}

function reachesByToken({ only }: Viewer, permission: Permission, brandId: string | undefined): boolean {
  if (!only) return true
  if (!only.permissions.includes(permission)) return false
  return only.brandId === null || only.brandId === brandId
}

/**
 * Whether a viewer may do something.
 *
 * @param brandId the Brand that it concerns; left out for what concerns the Provider, or all Brands at once
 */
export function may(viewer: Viewer, permission: Permission, brandId?: string): boolean {
  if (!reachesByToken(viewer, permission, brandId)) return false
  const rule: Rule = rules[permission]
  if (viewer.providerRole && rule.provider.includes(viewer.providerRole)) return true
  const role = brandId === undefined ? undefined : viewer.brandRoles.get(brandId)
  return role !== undefined && rule.brand.includes(role)
}

/** @throws ForbiddenError unless {@link may} */
export function assertMay(viewer: Viewer, permission: Permission, brandId?: string): void {
  if (!may(viewer, permission, brandId)) throw new ForbiddenError(`${viewer.email} may not: ${permission}`)
}

/**
 * The Brands where a viewer may do something: `'all'`, or their ids. Every list filters by it.
 */
export function brandsWhere(viewer: Viewer, permission: Permission): 'all' | string[] {
  if (may(viewer, permission)) return 'all'
  const candidates = new Set(viewer.brandRoles.keys())
  if (viewer.providerRole && viewer.only?.brandId) candidates.add(viewer.only.brandId)
  return [...candidates].filter((brandId) => may(viewer, permission, brandId))
}

/** Whether a viewer may do something at one Brand at least: whether a page is offered at all. */
export function mayAnywhere(viewer: Viewer, permission: Permission): boolean {
  const brands = brandsWhere(viewer, permission)
  return brands === 'all' || brands.length > 0
}

/**
 * What a list may show: the chosen Brand if the viewer may see it, else all that they may see; ready for a Prisma `where`.
 *
 * @throws ForbiddenError for a Brand that is not theirs, and where there is none
 */
export function brandFilter(
  viewer: Viewer,
  permission: Permission,
  chosen?: string,
): { brandId?: string | { in: string[] } } {
  const brands = brandsWhere(viewer, permission)
  if (chosen !== undefined) {
    if (brands !== 'all' && !brands.includes(chosen))
      throw new ForbiddenError(`not a Brand of ${viewer.email}`)
    return { brandId: chosen }
  }
  if (brands === 'all') return {}
  if (brands.length === 0) throw new ForbiddenError(`${viewer.email} may not: ${permission}`)
  return { brandId: { in: brands } }
}
