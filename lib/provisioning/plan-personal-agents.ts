import type { PersonalAgentSettings } from '#lib/identity/schema.ts'
import { type PersonalAgent, Prisma } from '#prisma/generated/client.ts'
import { compareFields, type Step, toJson } from './change.ts'

/** A personal agent that the file names is registered, however it became known (§3.1), unless the file says otherwise. */
function toColumns(settings: PersonalAgentSettings, stored: PersonalAgent | undefined) {
  const { name, issuer, jwksUri, limits } = settings
  return {
    name,
    issuer,
    jwksUri,
    enabled: settings.enabled ?? stored?.enabled ?? true,
    origin: settings.origin ?? ('registered' as const),
    limits: limits ? toJson(limits) : null,
  }
}

function describe({ name, issuer, jwksUri, enabled, origin, limits }: PersonalAgent) {
  return { name, issuer, jwksUri, enabled, origin, limits }
}

function planPersonalAgent(settings: PersonalAgentSettings, stored: PersonalAgent | undefined): Step[] {
  const { issuer } = settings
  const columns = toColumns(settings, stored)
  const data = { ...columns, limits: columns.limits ?? Prisma.DbNull }
  if (!stored) {
    const change = { action: 'create', kind: 'personal agent', name: issuer } as const
    return [{ change, row: columns, write: (transaction) => transaction.personalAgent.create({ data }) }]
  }
  const fields = compareFields(describe(stored), columns)
  if (fields.length === 0) return []
  const change = { action: 'update', kind: 'personal agent', name: issuer, fields } as const
  return [
    { change, write: (transaction) => transaction.personalAgent.update({ where: { id: stored.id }, data }) },
  ]
}

/** What makes the stored personal agents as the file says; others stay as they are. */
export function planPersonalAgents(
  settings: readonly PersonalAgentSettings[],
  stored: readonly PersonalAgent[],
): Step[] {
  const known = new Map(stored.map((each) => [each.issuer, each]))
  return settings.flatMap((each) => planPersonalAgent(each, known.get(each.issuer)))
}
