import { toAgentColumn } from '#lib/agents/schema.ts'
import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
import { type BrandSettings, maskedRoles } from '#lib/brands/schema.ts'
import { createFirstKey } from '#lib/keys/first-key.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { planBrandParts, type StoredParts } from './brand-parts.ts'
import { compareFields, type Step, type Transaction, toJson } from './change.ts'
import { planSecrets } from './plan-secrets.ts'

function toColumns(settings: BrandSettings, stored: StoredParts | undefined) {
  const { name, description, domain, conversation, delegation, keys } = settings
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
    privateNetworks: settings.privateNetworks,
    agent: toJson(toAgentColumn(settings.agent)),
  }
}

function describe(stored: StoredParts) {
  const { name, description, domain, enabled, idleHours, retentionDays, maskedFor, ...rest } = stored
  const { streaming, delegation, rotateEveryDays, privateNetworks, agent } = rest
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
    privateNetworks,
    agent,
  }
}

function hadSigningKeys({ delegation, agent }: StoredParts): boolean {
  return hasSigningKeys({ delegation, agent: agent as { driver: string } })
}

async function planBrand(settings: BrandSettings, stored: StoredParts | undefined): Promise<Step[]> {
  const { id } = settings
  const columns = toColumns(settings, stored)
  const data = { ...columns, delegation: columns.delegation ?? Prisma.DbNull }
  const parts = [
    ...planBrandParts(settings, stored),
    ...(await planSecrets(settings, stored?.secrets ?? new Map())),
  ]
  const name = `${settings.name} (${id})`
  if (!stored) {
    const change = { action: 'create', kind: 'brand', name } as const
    const write = async (transaction: Transaction) => {
      await transaction.brand.create({ data: { id, ...data } })
      if (hasSigningKeys(settings)) await createFirstKey(id, transaction)
    }
    return [{ change, row: columns, write }, ...parts]
  }
  const fields = compareFields(describe(stored), columns)
  if (fields.length === 0) return parts
  const change = { action: 'update', kind: 'brand', name, fields } as const
  const write = async (transaction: Transaction) => {
    await transaction.brand.update({ where: { id }, data })
    if (hasSigningKeys(settings) && !hadSigningKeys(stored)) await createFirstKey(id, transaction)
  }
  return [{ change, write }, ...parts]
}

/** What makes the stored Brands as the file says; others stay as they are. */
export async function planBrands(
  settings: readonly BrandSettings[],
  stored: readonly StoredParts[],
): Promise<Step[]> {
  const known = new Map(stored.map((each) => [each.id, each]))
  const steps: Step[] = []
  for (const each of settings) {
    const ofBrand = await planBrand(each, known.get(each.id))
    steps.push(...ofBrand.map((step) => ({ ...step, brandId: each.id })))
  }
  return steps
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
