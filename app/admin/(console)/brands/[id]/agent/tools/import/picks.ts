import type { ImportedOperation } from '#lib/agents/openapi/list-operations.ts'

export type Usable = Extract<ImportedOperation, { tool: unknown }>

/** What somebody decided for an operation. `scope`: undefined until it is chosen; '' for none. `user`: '' for no argument. */
export type Picked = { scope: string | undefined; changes: boolean; user: string }

/** By a tool's name; absent: it is not picked. */
export type Picks = Readonly<Record<string, Picked>>

/**
 * What is decided once an operation is picked: the scope only where there is no doubt. Whatever changes something, or is said
 * to need a scope that the Brand lacks, is for everybody only when somebody chooses that.
 *
 * @param known the Brand's scopes
 */
export function beginPick({ tool, scopes }: Usable, known: readonly string[]): Picked {
  const changes = tool.changes !== false
  const asked = scopes.find((scope) => known.includes(scope))
  const isOpen = scopes.length === 0 && !changes
  return { scope: asked ?? (isOpen ? '' : undefined), changes, user: '' }
}

/** All that can be a tool is picked; what was decided before stays. */
export function pickAll(
  operations: readonly ImportedOperation[],
  picks: Picks,
  known: readonly string[],
): Picks {
  const usable = operations.filter((operation): operation is Usable => 'tool' in operation)
  return Object.fromEntries(
    usable.map((operation) => [
      operation.tool.name,
      picks[operation.tool.name] ?? beginPick(operation, known),
    ]),
  )
}

/** The scopes that operations ask for and the Brand lacks, each once. */
export function findMissingScopes(
  operations: readonly ImportedOperation[],
  known: readonly string[],
): string[] {
  return [...new Set(operations.flatMap(({ scopes }) => scopes))].filter((scope) => !known.includes(scope))
}

/** The arguments of a tool that may be the User. */
export function listArguments({ tool }: Usable): string[] {
  return Object.keys(tool.arguments?.properties ?? {})
}

/** The picked tools whose scope nobody chose yet, by name. */
export function findUnchosen(picks: Picks): string[] {
  return Object.keys(picks).filter((name) => picks[name]?.scope === undefined)
}

/** The tools that come of what was picked, in the document's order. */
export function toTools(operations: readonly ImportedOperation[], picks: Picks) {
  return operations.flatMap((operation) => {
    const pick = 'tool' in operation ? picks[operation.tool.name] : undefined
    if (!pick || !('tool' in operation)) return []
    const { scope, changes, user } = pick
    // Without a scope nobody is known who could be the User.
    const access = scope ? { scope, ...(user === '' ? {} : { userArgument: user }) } : {}
    return [{ ...operation.tool, changes, ...access }]
  })
}
