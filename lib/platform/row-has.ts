/**
 * In SQL: that a row which is found by its own key also has these values, none of them null. They are compared so that no
 * index serves the comparison.
 *
 * Statements of every request are prepared, and keep the plan that they were given while the tables were still empty. To
 * such a plan an index of all rows of a Brand, or of a User, is as good as the key: it would read ever more of them as the
 * tables grow, until PostgreSQL looks at the tables again.
 *
 * @param row its name in the statement; empty: there is only one
 * @param values by the names of their columns, as the statement has them
 */
export function rowHas(row: string, values: Readonly<Record<string, string>>): string {
  const columns = Object.keys(values).map((column) => `${row && `${row}.`}"${column}"`)
  return `(${columns.join(', ')}) IS NOT DISTINCT FROM (${Object.values(values).join(', ')})`
}
