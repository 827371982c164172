import { prisma } from '#lib/platform/database.ts'
import { log } from '#lib/platform/log.ts'
import { type OidcRole, rolesFromClaims } from '#lib/platform/oidc-roles.ts'
import type { BrandRole, Prisma, ProviderRole } from '#prisma/generated/client.ts'
import { type Actor, appendAudit } from './audit.ts'
import { dropCredentials } from './drop-credentials.ts'
import { keepingAnAdmin, LastAdminError } from './last-admin.ts'
import { normaliseEmail } from './sign-in.ts'

/** Why single sign-on let nobody in. */
export type OidcRefusal = 'no-email' | 'unverified' | 'no-role' | 'disabled'
export type OidcSignIn = { ok: true; userId: string } | { ok: false; reason: OidcRefusal }

type Transaction = Prisma.TransactionClient
type User = Prisma.ConsoleUserGetPayload<{ include: { memberships: true } }>
type Roles = { provider: ProviderRole | null; brands: Record<string, BrandRole> }

function storedRoles(user: User | null): Roles {
  const brands = (user?.memberships ?? []).map(({ brandId, role }) => [brandId, role])
  return { provider: user?.providerRole ?? null, brands: Object.fromEntries(brands) }
}

/** Of two roles that the rules give at one place, the higher. */
function rolesGiven(given: readonly OidcRole['role'][]): Roles {
  const providers = given.flatMap((role) => ('provider' in role ? [role.provider] : []))
  const brands: Record<string, BrandRole> = {}
  for (const role of given) {
    if ('brand' in role && brands[role.brand] !== 'manager') brands[role.brand] = role.role
  }
  return { provider: providers.includes('admin') ? 'admin' : (providers[0] ?? null), brands }
}

/**
 * The roles that a user has after signing in. Where the rules name the Provider or a Brand, they decide alone: what the
 * claims do not give any more goes. Elsewhere what is stored stays.
 */
export function mergeRoles(rules: readonly OidcRole[], stored: Roles, given: Roles): Roles {
  const ruled = new Set(rules.flatMap(({ role }) => ('brand' in role ? [role.brand] : [])))
  const kept = Object.entries(stored.brands).filter(([brandId]) => !ruled.has(brandId))
  return {
    provider: rules.some(({ role }) => 'provider' in role) ? given.provider : stored.provider,
    brands: { ...Object.fromEntries(kept), ...given.brands },
  }
}

function isSame(one: Roles, other: Roles): boolean {
  const form = ({ provider, brands }: Roles) => JSON.stringify([provider, Object.entries(brands).sort()])
  return form(one) === form(other)
}

async function writeRoles(transaction: Transaction, userId: string, roles: Roles): Promise<void> {
  await keepingAnAdmin(transaction, () =>
    transaction.consoleUser.update({ where: { id: userId }, data: { providerRole: roles.provider } }),
  )
  await transaction.membership.deleteMany({ where: { userId } })
  const data = Object.entries(roles.brands).map(([brandId, role]) => ({ userId, brandId, role }))
  await transaction.membership.createMany({ data })
}

async function onlyKnownBrands(transaction: Transaction, given: Roles): Promise<Roles> {
  const ids = Object.keys(given.brands)
  const known = await transaction.brand.findMany({ where: { id: { in: ids } }, select: { id: true } })
  const brands = known.flatMap(({ id }) => {
    const role = given.brands[id]
    return role ? [[id, role]] : []
  })
  return { ...given, brands: Object.fromEntries(brands) }
}

function isPromoted(before: Roles, after: Roles): boolean {
  if (after.provider && before.provider !== 'admin' && after.provider !== before.provider) return true
  return Object.entries(after.brands).some(
    ([id, role]) => before.brands[id] === undefined || (role === 'manager' && before.brands[id] === 'viewer'),
  )
}

type Known = { email: string; given: Roles; rules: readonly OidcRole[]; origin: { address?: string } }

async function settle(transaction: Transaction, { email, given, rules, origin }: Known): Promise<OidcSignIn> {
  const stored = await transaction.consoleUser.findUnique({
    where: { email },
    include: { memberships: true },
  })
  if (stored?.disabledAt) return { ok: false, reason: 'disabled' }
  const before = storedRoles(stored)
  const after = mergeRoles(rules, before, await onlyKnownBrands(transaction, given))
  const isNobody = !after.provider && Object.keys(after.brands).length === 0
  if (isNobody && !stored) return { ok: false, reason: 'no-role' }
  const userId = stored?.id ?? (await transaction.consoleUser.create({ data: { email } })).id
  if (!isSame(before, after)) {
    await writeRoles(transaction, userId, after)
    const action = stored ? 'console-user.update' : 'console-user.create'
    const sides = { ...(stored ? { before: { roles: before } } : {}), after: { roles: after } }
    await appendAudit(transaction, [
      { actor: { kind: 'system', name: 'single sign-on' }, action, subject: email, ...sides },
    ])
  }
  // An account that becomes more powerful, or whose address nobody has proven, may have been made by somebody else.
  const isSuspect = stored && (!stored.addressProvenAt || isPromoted(before, after))
  if (isSuspect) await dropCredentials(transaction, userId)
  if (!stored?.addressProvenAt) {
    await transaction.consoleUser.update({ where: { id: userId }, data: { addressProvenAt: new Date() } })
  }
  if (isNobody) return { ok: false, reason: 'no-role' }
  const actor: Actor = { kind: 'user', id: userId, name: email, ...origin }
  await appendAudit(transaction, [
    { actor, action: 'session.start', subject: email, after: { method: 'oidc' } },
  ])
  return { ok: true, userId }
}

async function refuse(email: string, reason: OidcRefusal, origin: { address?: string }): Promise<OidcSignIn> {
  const actor: Actor = { kind: 'user', name: email, ...origin }
  const entry = {
    actor,
    action: 'session.refuse' as const,
    subject: email,
    after: { method: 'oidc', reason },
  }
  await prisma().$transaction((transaction) => appendAudit(transaction, [entry]))
  return { ok: false, reason }
}

/**
 * Lets somebody in whom an OpenID Connect provider has proven, with the roles that the rules give to their claims. Unknown
 * people come in only with a role. The claims themselves were verified before.
 */
export async function signInWithOidc(
  claims: Readonly<Record<string, unknown>>,
  rules: readonly OidcRole[],
  address: string | undefined,
): Promise<OidcSignIn> {
  const origin = address ? { address } : {}
  const email = typeof claims.email === 'string' ? normaliseEmail(claims.email) : ''
  if (!email) return { ok: false, reason: 'no-email' }
  // Only then the address is the person's own (OpenID Connect Core §5.1).
  if (claims.email_verified !== true) return refuse(email, 'unverified', origin)
  const known = { email, rules, origin, given: rolesGiven(rolesFromClaims(rules, claims)) }
  try {
    const result = await prisma().$transaction((transaction) => settle(transaction, known))
    return result.ok ? result : refuse(email, result.reason, origin)
  } catch (error) {
    if (!(error instanceof LastAdminError)) throw error
    log().warn('single sign-on takes the last Provider admin away: the role stays until there is another')
    return prisma().$transaction((transaction) =>
      settle(transaction, { ...known, given: { ...known.given, provider: 'admin' } }),
    )
  }
}
