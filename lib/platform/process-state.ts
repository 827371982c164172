const SLOTS = Symbol.for('pact-provider.process-state')

const holder = globalThis as { [SLOTS]?: Map<string, unknown> }
holder[SLOTS] ??= new Map()
const slots = holder[SLOTS]

/**
 * What one process keeps in memory exactly once, under a name.
 *
 * Next bundles a copy of every module of its own beside the one that Node loads, so a module-level variable exists twice.
 * Pools, caches and rate limits hang on `globalThis` instead, where both copies find them. The value may have been made
 * by the other copy: never use `instanceof` with its classes.
 *
 * @param name unique in the product, e.g. `database`
 * @param create called at the first use in the process
 * @returns the one value of that name
 */
export function processState<T>(name: string, create: () => T): T {
  // Asked for a dozen times a request.
  if (!slots.has(name)) slots.set(name, create())
  return slots.get(name) as T
}

function isDisposable(value: unknown): value is Disposable {
  return typeof value === 'object' && value !== null && Symbol.dispose in value
}

/** For tests, several files of which share a process: disposes of what can be, and forgets all, as if it had just begun. */
export function forgetProcessState(): void {
  for (const value of slots.values()) if (isDisposable(value)) value[Symbol.dispose]()
  slots.clear()
}

/**
 * For tests: does some work as a process of its own would, with nothing in memory yet. Then it is disposed of, and all is as
 * it was. Meanwhile nothing else may run.
 */
export async function asNewProcess<T>(work: () => Promise<T>): Promise<T> {
  const kept = [...slots]
  slots.clear()
  try {
    return await work()
  } finally {
    forgetProcessState()
    for (const [name, value] of kept) slots.set(name, value)
  }
}
