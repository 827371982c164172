import type { ProviderSettings } from '#lib/identity/schema.ts'
import type { Provider } from '#prisma/generated/client.ts'
import { compareFields, type Step, toJson } from './change.ts'

function toColumns(settings: ProviderSettings, stored: Provider | null) {
  const { organization, audience, trust, limits, adminsNeedSecondFactor, retentionDays } = settings
  return {
    organization,
    audience,
    trust,
    limits: toJson(limits),
    adminsNeedSecondFactor: adminsNeedSecondFactor ?? stored?.adminsNeedSecondFactor ?? false,
    retentionDays: retentionDays === undefined ? (stored?.retentionDays ?? null) : retentionDays,
  }
}

function describe({
  organization,
  audience,
  trust,
  limits,
  adminsNeedSecondFactor,
  retentionDays,
}: Provider) {
  return { organization, audience, trust, limits, adminsNeedSecondFactor, retentionDays }
}

/** What makes the stored Provider as the file says. */
export function planProvider(settings: ProviderSettings, stored: Provider | null): Step[] {
  const name = settings.organization
  const data = toColumns(settings, stored)
  if (!stored) {
    const change = { action: 'create', kind: 'provider', name } as const
    return [{ change, row: data, write: (transaction) => transaction.provider.create({ data }) }]
  }
  const fields = compareFields(describe(stored), data)
  if (fields.length === 0) return []
  const change = { action: 'update', kind: 'provider', name, fields } as const
  return [{ change, write: (transaction) => transaction.provider.update({ where: { id: 1 }, data }) }]
}
