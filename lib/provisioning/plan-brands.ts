import { type BrandSettings, maskedRoles } from '#lib/brands/schema.ts'
import { createFirstKey } from '#lib/keys/first-key.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { planBrandParts, type StoredParts } from './brand-parts.ts'
import { compareFields, type Step, type Transaction, toJson } from './change.ts'

function toColumns(settings: BrandSettings, stored: StoredParts | undefined) {
  const { name, description, domain, conversation, delegation, keys } = settings
  // Tools are rows of their own, and so are scopes.
  const { tools: _tools, ...agent } = settings.agent
  return {
    name,
    description,
    // What was put away is brought back by hand alone: a file that is applied again must not do it, or take its domain back.
    domain: stored?.archivedAt ? null : (domain ?? null),
    enabled: stored?.archivedAt ? false : (settings.enabled ?? stored?.enabled ?? true),
    idleHours: conversation.idleHours,
    retentionDays: conversation.retentionDays ?? null,
    maskedFor: maskedRoles.filter((role) => conversation.maskedFor.includes(role)),
    streaming: conversation.streaming,
    delegation: delegation ? toJson({ ...delegation, scopes: undefined }) : null,
    rotateEveryDays: keys.rotateEveryDays ?? null,
    agent: toJson(agent),
  }
}

function describe(stored: StoredParts) {
  const { name, description, domain, enabled, idleHours, retentionDays, maskedFor, ...rest } = stored
  const { streaming, delegation, rotateEveryDays, agent } = rest
  return {
    name,
    description,
    domain,
    enabled,
    idleHours,
    retentionDays,
    maskedFor,
    streaming,
    delegation,
    rotateEveryDays,
    agent,
  }
}

function planBrand(settings: BrandSettings, stored: StoredParts | undefined): Step[] {
  const { id } = settings
  const columns = toColumns(settings, stored)
  const data = { ...columns, delegation: columns.delegation ?? Prisma.DbNull }
  const parts = planBrandParts(settings, stored)
  const name = `${settings.name} (${id})`
  if (!stored) {
    const change = { action: 'create', kind: 'brand', name } as const
    const write = async (transaction: Transaction) => {
      await transaction.brand.create({ data: { id, ...data } })
      if (settings.delegation) await createFirstKey(id, transaction)
    }
    return [{ change, row: columns, write }, ...parts]
  }
  const fields = compareFields(describe(stored), columns)
  if (fields.length === 0) return parts
  const change = { action: 'update', kind: 'brand', name, fields } as const
  const write = async (transaction: Transaction) => {
    await transaction.brand.update({ where: { id }, data })
    if (settings.delegation && stored.delegation === null) await createFirstKey(id, transaction)
  }
  return [{ change, write }, ...parts]
}

/** What makes the stored Brands as the file says; others stay as they are. */
export function planBrands(settings: readonly BrandSettings[], stored: readonly StoredParts[]): Step[] {
  const known = new Map(stored.map((each) => [each.id, each]))
  return settings.flatMap((each) =>
    planBrand(each, known.get(each.id)).map((step) => ({ ...step, brandId: each.id })),
  )
}

/** Frees the domains that one Brand of the file gives up and another takes: no order of updates could swap them. */
export async function releaseDomains(
  transaction: Transaction,
  settings: readonly BrandSettings[],
  stored: readonly StoredParts[],
): Promise<void> {
  const wantedBy = new Map(settings.map(({ id, domain }) => [domain, id]))
  const giving = stored.filter(({ id, domain }) => domain !== null && (wantedBy.get(domain) ?? id) !== id)
  if (giving.length === 0) return
  await transaction.brand.updateMany({
    where: { id: { in: giving.map(({ id }) => id) } },
    data: { domain: null },
  })
}
