import { stringify } from 'yaml'
import type { z } from 'zod'
import type { Actor } from '#lib/access/audit.ts'
import { noteExport } from '#lib/access/note-export.ts'
import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import type { ConsoleUserSettings } from '#lib/access/schema.ts'
import { settingsParts, toBrandSettings } from '#lib/brands/read-settings.ts'
import type { BrandInput } from '#lib/brands/schema.ts'
import { limitOverridesSchema, type PersonalAgentSettings } from '#lib/identity/schema.ts'
import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import type { Transaction } from './change.ts'
import { toProviderSettings } from './read-provider.ts'
import type { provisionSchema } from './schema.ts'

/** Brands that are read at once. */
const BATCH_SIZE = 200
/** How long reading everything may take, in milliseconds. */
const TIME_LIMIT = 120_000

type ProvisionInput = z.input<ReturnType<typeof provisionSchema>>

async function readPersonalAgents(transaction: Transaction): Promise<PersonalAgentSettings[]> {
  const rows = await transaction.personalAgent.findMany({ orderBy: [{ name: 'asc' }, { issuer: 'asc' }] })
  return rows.map(({ name, issuer, jwksUri, enabled, origin, limits }) => ({
    name,
    issuer,
    jwksUri,
    enabled,
    ...(limits === null ? {} : { limits: limitOverridesSchema.parse(limits) }),
    ...(origin === 'discovered' ? { origin } : {}),
  }))
}

/** Brands that are put away are left out: in a new Provider, they would come back. */
async function readBrands(transaction: Transaction): Promise<BrandInput[]> {
  const brands: BrandInput[] = []
  for (;;) {
    const rows = await transaction.brand.findMany({
      where: { archivedAt: null, id: { gt: brands.at(-1)?.id ?? '' } },
      orderBy: { id: 'asc' },
      take: BATCH_SIZE,
    })
    for (const row of rows) {
      // One after the other: an `include` sends its queries at once, which the transaction's one connection does not want.
      const where = { where: { brandId: row.id } }
      const skills = await transaction.skill.findMany({ ...where, ...settingsParts.skills })
      const scopes = await transaction.scope.findMany({ ...where, ...settingsParts.scopes })
      const tools = await transaction.tool.findMany({ ...where, ...settingsParts.tools })
      const agentChecks = await transaction.agentCheck.findMany({ ...where, ...settingsParts.agentChecks })
      brands.push(toBrandSettings({ ...row, skills, scopes, tools, agentChecks }))
    }
    if (rows.length < BATCH_SIZE) return brands
  }
}

/** Users who are disabled, or have no role, are left out: the file lets in whom it names. */
async function readConsoleUsers(
  transaction: Transaction,
  brandIds: ReadonlySet<string>,
): Promise<ConsoleUserSettings[]> {
  const users = await transaction.consoleUser.findMany({
    where: { disabledAt: null },
    select: { id: true, email: true, providerRole: true },
    orderBy: { email: 'asc' },
  })
  const memberships = await transaction.membership.findMany({ orderBy: { brandId: 'asc' } })
  const ofUser = Map.groupBy(memberships, ({ userId }) => userId)
  return users.flatMap(({ id, email, providerRole }) => {
    const atBrands = (ofUser.get(id) ?? [])
      .filter(({ brandId }) => brandIds.has(brandId))
      .map(({ brandId, role }) => ({ brand: brandId, role }))
    const roles = [...(providerRole ? [{ provider: providerRole }] : []), ...atBrands]
    return roles.length > 0 ? [{ email, roles }] : []
  })
}

async function readIn(transaction: Transaction): Promise<ProvisionInput> {
  const provider = await transaction.provider.findUnique({ where: { id: 1 } })
  const personalAgents = await readPersonalAgents(transaction)
  const brands = await readBrands(transaction)
  const users = await readConsoleUsers(transaction, new Set(brands.map(({ id }) => id)))
  return {
    ...(provider ? { provider: toProviderSettings(provider) } : {}),
    personalAgents,
    brands,
    console: { users },
  }
}

/**
 * The whole Provider, as one moment saw it, as a provision file (YAML): applied again, it changes nothing. Signing keys,
 * passwords and tokens are not in it, nor is anything that happened: conversations, grants, receipts.
 */
export async function exportProvision(): Promise<string> {
  const provision = await prisma().$transaction(readIn, {
    isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead,
    maxWait: TIME_LIMIT,
    timeout: TIME_LIMIT,
  })
  return stringify(provision, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** As {@link exportProvision}, for somebody who the audit log then says took it. @throws ForbiddenError */
export async function exportProvisionFor({
  viewer,
  actor,
}: {
  viewer: Viewer
  actor: Actor
}): Promise<string> {
  assertMay(viewer, 'provision.export')
  await noteExport(viewer, actor, 'provision', { permission: 'provision.export' })
  return exportProvision()
}
