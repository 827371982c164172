import { type Change, compareFields, type Step, type Transaction } from './change.ts'

/** How the parts of one kind are written. `row` holds every column but the part's own key and its Brand. */
export type PartTable<Row> = {
  kind: Change['kind']
  create(transaction: Transaction, key: string, row: Row): Promise<unknown>
  update(transaction: Transaction, key: string, row: Row): Promise<unknown>
  remove(transaction: Transaction, key: string): Promise<unknown>
}

/**
 * What makes a Brand's parts of one kind exactly those of the file: what the file does not have goes.
 *
 * @param owner the Brand's name, which stands before the part's
 */
export function planParts<Row>(
  owner: string,
  table: PartTable<Row>,
  stored: ReadonlyMap<string, Row>,
  wanted: ReadonlyMap<string, Row>,
): Step[] {
  const { kind } = table
  const nameOf = (key: string) => `${owner}: ${key}`
  const gone = [...stored.keys()].filter((key) => !wanted.has(key))
  const removals = gone.map(
    (key): Step => ({
      change: { action: 'delete', kind, name: nameOf(key) },
      row: stored.get(key),
      write: (transaction) => table.remove(transaction, key),
    }),
  )
  const others = [...wanted].flatMap(([key, row]): Step[] => {
    const before = stored.get(key)
    if (before === undefined) {
      const change = { action: 'create', kind, name: nameOf(key) } as const
      return [{ change, row, write: (transaction) => table.create(transaction, key, row) }]
    }
    const fields = compareFields(before, row)
    if (fields.length === 0) return []
    const change = { action: 'update', kind, name: nameOf(key), fields } as const
    return [{ change, write: (transaction) => table.update(transaction, key, row) }]
  })
  return [...removals, ...others]
}
