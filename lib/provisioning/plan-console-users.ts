import { dropUnprovenCredentials } from '#lib/access/drop-credentials.ts'
import { isRaised } from '#lib/access/member-edits.ts'
import type { ConsoleUserSettings } from '#lib/access/schema.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { compareFields, type Step, type Transaction } from './change.ts'

/** Of the memberships, those at Brands of the file. */
export type StoredConsoleUser = Prisma.ConsoleUserGetPayload<{ include: { memberships: true } }>

type Roles = {
  provider: StoredConsoleUser['providerRole']
  brands: Record<string, StoredConsoleUser['memberships'][number]['role']>
}

function wantedRoles({ roles }: ConsoleUserSettings): Roles {
  return {
    provider: roles.flatMap((role) => ('provider' in role ? [role.provider] : []))[0] ?? null,
    brands: Object.fromEntries(roles.flatMap((role) => ('brand' in role ? [[role.brand, role.role]] : []))),
  }
}

function storedRoles({ providerRole, memberships }: StoredConsoleUser): Roles {
  return {
    provider: providerRole,
    brands: Object.fromEntries(memberships.map(({ brandId, role }) => [brandId, role])),
  }
}

/** Whoever applies the file stands at the entry that tells of the role. */
const filed = { kind: 'system', name: 'provision' } as const

async function createUser(transaction: Transaction, email: string, { provider, brands }: Roles) {
  const { id: userId } = await transaction.consoleUser.create({ data: { email, providerRole: provider } })
  const data = Object.entries(brands).map(([brandId, role]) => ({ userId, brandId, role }))
  await transaction.membership.createMany({ data })
}

async function updateUser(transaction: Transaction, userId: string, before: Roles, after: Roles) {
  if (before.provider !== after.provider) {
    await transaction.consoleUser.update({ where: { id: userId }, data: { providerRole: after.provider } })
    if (isRaised(before.provider, after.provider)) await dropUnprovenCredentials(transaction, userId, filed)
  }
  const gone = Object.keys(before.brands).filter((brandId) => !(brandId in after.brands))
  await transaction.membership.deleteMany({ where: { userId, brandId: { in: gone } } })
  for (const [brandId, role] of Object.entries(after.brands)) {
    if (before.brands[brandId] === role) continue
    await transaction.membership.upsert({
      where: { userId_brandId: { userId, brandId } },
      create: { userId, brandId, role },
      update: { role },
    })
  }
}

function planUser(settings: ConsoleUserSettings, stored: StoredConsoleUser | undefined): Step[] {
  const { email } = settings
  const after = wantedRoles(settings)
  if (!stored) {
    const change = { action: 'create', kind: 'console user', name: email } as const
    return [{ change, row: after, write: (transaction) => createUser(transaction, email, after) }]
  }
  const before = storedRoles(stored)
  const fields = compareFields(before, after, 'roles')
  if (fields.length === 0) return []
  const change = { action: 'update', kind: 'console user', name: email, fields } as const
  return [{ change, write: (transaction) => updateUser(transaction, stored.id, before, after) }]
}

/**
 * What gives the file's console users the roles that it says: at the Provider, and at the Brands of the file. Their roles
 * at other Brands, and other users, stay as they are.
 */
export function planConsoleUsers(
  settings: readonly ConsoleUserSettings[],
  stored: readonly StoredConsoleUser[],
): Step[] {
  const known = new Map(stored.map((each) => [each.email, each]))
  return settings.flatMap((each) => planUser(each, known.get(each.email)))
}
