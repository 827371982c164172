import type { Actor, AuditEntry } from '#lib/access/audit.ts'
import type { PlannedNoun } from '#lib/access/audit-actions.ts'
import type { Change, FieldChange, Step } from './change.ts'

const nouns = {
  provider: 'provider',
  'personal agent': 'personal-agent',
  brand: 'brand',
  skill: 'skill',
  scope: 'scope',
  tool: 'tool',
  check: 'check',
  secret: 'secret',
  'console user': 'console-user',
} as const satisfies Record<Change['kind'], PlannedNoun>

function side(fields: readonly FieldChange[], which: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(fields.map((each) => [each.field, each[which] ?? null]))
}

/** What the audit log says of a step: of an update what differs, else the whole row. */
export function buildAuditEntry(actor: Actor, { change, brandId, row }: Step): AuditEntry {
  const { action, kind, name, fields } = change
  const base = {
    actor,
    action: `${nouns[kind]}.${action}` as const,
    subject: name,
    ...(brandId === undefined ? {} : { brandId }),
  }
  if (fields) return { ...base, before: side(fields, 'before'), after: side(fields, 'after') }
  return action === 'delete' ? { ...base, before: row } : { ...base, after: row }
}
