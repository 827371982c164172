import { isDeepStrictEqual } from 'node:util'
import type { PlannedVerb } from '#lib/access/audit-actions.ts'
import { isMap } from '#lib/platform/json-map.ts'
import type { Prisma } from '#prisma/generated/client.ts'

/** A value of the file that differs from what is stored. */
export type FieldChange = { field: string; before: unknown; after: unknown }

/** One thing that applying a provision file does. */
export type Change = {
  action: PlannedVerb
  kind:
    | 'provider'
    | 'personal agent'
    | 'brand'
    | 'skill'
    | 'scope'
    | 'tool'
    | 'check'
    | 'secret'
    | 'console user'
  /** For people: an issuer, a Brand's name and id, an e-mail address. */
  name: string
  /** What an update changes. */
  fields?: FieldChange[]
}

export type Transaction = Prisma.TransactionClient

/**
 * A change, and what makes it. Steps are written in order.
 *
 * `brandId`: whose it is; `row`: what is created or deleted, for the audit log
 */
export type Step = {
  change: Change
  brandId?: string
  row?: unknown
  write(transaction: Transaction): Promise<unknown>
}

/**
 * Compares two values, down to the innermost that differ. Lists of the same length are compared entry by entry.
 *
 * @param at the field's name so far
 */
export function compareFields(before: unknown, after: unknown, at = ''): FieldChange[] {
  if (isDeepStrictEqual(before, after)) return []
  if (isMap(before) && isMap(after)) {
    const keys = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...keys].flatMap((key) => compareFields(before[key], after[key], at ? `${at}.${key}` : key))
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((entry, index) => compareFields(entry, after[index], `${at}[${index}]`))
  }
  return [{ field: at, before, after }]
}

/** A value as a JSON column holds it: without what is undefined. */
export function toJson(value: object): Prisma.InputJsonValue {
  return JSON.parse(JSON.stringify(value))
}
