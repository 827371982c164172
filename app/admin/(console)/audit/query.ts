import type { Query } from '#components/ui/href.ts'
import type { AuditFilter } from '#lib/access/audit-list-schema.ts'

const dayOf = (time: Date | undefined) => time?.toISOString().slice(0, 10)

/** A filter as an address holds it. */
export function toQuery({ brand, actor, action, from, until }: AuditFilter): Query {
  return { brand, actor, action, from: dayOf(from), until: dayOf(until) }
}
