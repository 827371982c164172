/** The longest name that a tool may have. */
const MAX_LENGTH = 64

function toIdentifier(text: string): string {
  const words = text.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '')
  const name = /^[A-Za-z]/.test(words) ? words : `_${words}`
  return name.slice(0, MAX_LENGTH)
}

/**
 * A tool's name for an operation: its own id made to fit, else its method and path.
 *
 * @param taken names that others have; the new one is added
 */
export function nameTool(
  { operationId, method, path }: { operationId: unknown; method: string; path: string },
  taken: Set<string>,
): string {
  const given = typeof operationId === 'string' && /[A-Za-z0-9]/.test(operationId) ? operationId : undefined
  const name = toIdentifier(given ?? `${method.toLowerCase()}${path.replace(/^(?!\/)/, '/')}`)
  let free = name
  for (let count = 2; taken.has(free); count += 1) {
    const ending = `_${count}`
    free = name.slice(0, MAX_LENGTH - ending.length) + ending
  }
  taken.add(free)
  return free
}
