/** A part of a plan, as `EXPLAIN (FORMAT JSON)` writes it. */
export type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}

/** The tables that a plan reads from end to end. */
export function scannedTables(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? '?'] : []
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)]
}
