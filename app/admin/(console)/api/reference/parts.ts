import type { ApiDocument } from '#lib/api/document.ts'
import type { JsonSchema } from '#lib/api/json-schemas.ts'
import type { ListedOperation } from './operation-view.tsx'

/** The operations of one part of the API, in the document's order. */
export function listOperations({ paths }: ApiDocument, tag: string): ListedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

function namesIn(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name ?? '')
}

/** The schemas that operations name, and those that these name in turn; by name. */
export function listSchemas(
  { components: { schemas } }: ApiDocument,
  operations: readonly ListedOperation[],
): [string, JsonSchema][] {
  const found = new Map<string, JsonSchema>()
  const wanted = namesIn(operations)
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const schema = schemas[name]
    if (!schema || found.has(name)) continue
    found.set(name, schema)
    wanted.push(...namesIn(schema))
  }
  return [...found].sort(([one], [other]) => (one < other ? -1 : 1))
}
