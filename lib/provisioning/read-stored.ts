import type { Brand, Prisma } from '#prisma/generated/client.ts'
import type { StoredParts } from './brand-parts.ts'
import type { Transaction } from './change.ts'
import type { StoredConsoleUser } from './plan-console-users.ts'
import type { Provision } from './schema.ts'

function groupBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string): (key: string) => Row[] {
  const groups = Map.groupBy(rows, keyOf)
  return (key) => groups.get(key) ?? []
}

// An `include` would send the queries of a transaction at once, on its one connection: `pg` does not want that.
async function readBrands(transaction: Transaction, ids: string[]): Promise<StoredParts[]> {
  const where = { brandId: { in: ids } }
  const brands: Brand[] = await transaction.brand.findMany({ where: { id: { in: ids } } })
  const skills = groupBy(await transaction.skill.findMany({ where }), ({ brandId }) => brandId)
  const scopes = groupBy(await transaction.scope.findMany({ where }), ({ brandId }) => brandId)
  const tools = groupBy(await transaction.tool.findMany({ where }), ({ brandId }) => brandId)
  const checks = groupBy(await transaction.agentCheck.findMany({ where }), ({ brandId }) => brandId)
  const secrets = groupBy(await transaction.agentSecret.findMany({ where }), ({ brandId }) => brandId)
  return brands.map((brand) => ({
    ...brand,
    skills: skills(brand.id),
    scopes: scopes(brand.id),
    tools: tools(brand.id),
    agentChecks: checks(brand.id),
    secrets: new Map(secrets(brand.id).map((secret) => [secret.name, secret])),
  }))
}

async function readConsoleUsers(
  transaction: Transaction,
  emails: string[],
  brandIds: string[],
): Promise<StoredConsoleUser[]> {
  const users = await transaction.consoleUser.findMany({ where: { email: { in: emails } } })
  const where: Prisma.MembershipWhereInput = {
    userId: { in: users.map(({ id }) => id) },
    brandId: { in: brandIds },
  }
  const memberships = groupBy(await transaction.membership.findMany({ where }), ({ userId }) => userId)
  return users.map((user) => ({ ...user, memberships: memberships(user.id) }))
}

/** What is stored of all that a provision file names, and the other Brands that have its domains. */
export async function readStored(transaction: Transaction, { personalAgents, brands, console }: Provision) {
  const ids = brands.map(({ id }) => id)
  const domains = brands.flatMap(({ domain }) => (domain === undefined ? [] : [domain]))
  const issuers = personalAgents.map(({ issuer }) => issuer)
  return {
    provider: await transaction.provider.findUnique({ where: { id: 1 } }),
    personalAgents: await transaction.personalAgent.findMany({ where: { issuer: { in: issuers } } }),
    brands: await readBrands(transaction, ids),
    domainOwners: await transaction.brand.findMany({
      where: { domain: { in: domains }, NOT: { id: { in: ids } } },
      select: { id: true, name: true, domain: true },
    }),
    consoleUsers: await readConsoleUsers(
      transaction,
      console.users.map(({ email }) => email),
      ids,
    ),
  }
}

export type Stored = Awaited<ReturnType<typeof readStored>>
