import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { compilePattern } from '../pattern.ts'

/** The most schemas that one may consist of. */
const MAX_SCHEMAS = 500
/** How deep schemas, and the lists and maps between them, may stand in each other. */
const MAX_DEPTH = 32
/** The longest description of a part, in UTF-16 units. */
const MAX_DESCRIPTION = 500
/** In UTF-16 units. */
const MAX_PATTERN = 500

/** Keywords of JSON Schema (2020-12) whose value is taken as it is. */
const plain = new Set([
  ...['type', 'enum', 'const', 'default', 'format', 'required', 'uniqueItems', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength'],
  ...['minItems', 'maxItems', 'minProperties', 'maxProperties'],
])

/** Keywords that do not say which values are valid, and such that the upgrade to 3.1 has made others of. */
const idle = new Set([
  ...[
    'title',
    'summary',
    'example',
    'examples',
    'deprecated',
    'readOnly',
    'writeOnly',
    'xml',
    'externalDocs',
  ],
  ...['discriminator', 'nullable', 'contentEncoding', 'contentMediaType', 'contentSchema'],
  ...['$schema', '$id', '$anchor', '$comment', '$defs', 'definitions'],
])

/** The schema of an operation can't be taken over. The message says why: "has …", "refers to …". */
export class UnusableSchemaError extends Error {
  override name = 'UnusableSchemaError'
}

/** The state of the copies that one operation needs: their size is counted together. */
export type Copying = {
  /** What the copies ask less strictly than the originals, in words. */
  notes: Set<string>
  /** What stands around the part that is being copied. */
  around: Set<unknown>
  count: number
}

export function startCopying(): Copying {
  return { notes: new Set(), around: new Set(), count: 0 }
}

/** Copies a part, unless it stands within itself. */
function enter<T>(copying: Copying, part: object, copyPart: () => T): T | undefined {
  if (copying.around.has(part)) {
    copying.notes.add('A part of its arguments contains itself: from there on, anything is taken.')
    return undefined
  }
  if (copying.around.size >= MAX_DEPTH)
    throw new UnusableSchemaError('has too deep a schema of its arguments')
  copying.around.add(part)
  const copied = copyPart()
  copying.around.delete(part)
  return copied
}

function copyPattern(copying: Copying, pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') throw new UnusableSchemaError('has a pattern that is no text')
  if (pattern.length <= MAX_PATTERN && compilePattern(pattern).ok) return pattern
  copying.notes.add('A pattern of its arguments is not checked: it is too large, or not in RE2 syntax.')
  return undefined
}

function copyProperties(copying: Copying, properties: unknown): JsonMap | undefined {
  if (!isMap(properties)) throw new UnusableSchemaError('has properties that are no object')
  return enter(copying, properties, () =>
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, copySchema(copying, schema)]),
    ),
  )
}

function copySchemas(copying: Copying, list: unknown): (JsonMap | boolean)[] | undefined {
  if (!Array.isArray(list)) throw new UnusableSchemaError('has alternatives that are no list')
  return enter(copying, list, () => list.map((schema) => copySchema(copying, schema)))
}

function leaveOut({ notes }: Copying, keyword: string): undefined {
  const isIdle = idle.has(keyword) || keyword.startsWith('x-')
  if (!isIdle) notes.add(`“${keyword.slice(0, 50)}” in the schema of its arguments is not checked.`)
}

function copyKeyword(copying: Copying, keyword: string, value: unknown): unknown {
  if (plain.has(keyword)) return value
  switch (keyword) {
    case 'items':
    case 'additionalProperties':
      return copySchema(copying, value)
    case 'allOf':
    case 'anyOf':
    case 'prefixItems':
      return copySchemas(copying, value)
    case 'properties':
      return copyProperties(copying, value)
    case 'pattern':
      return copyPattern(copying, value)
    case 'description':
      return typeof value === 'string' ? value.slice(0, MAX_DESCRIPTION) : undefined
    case '$ref':
      throw new UnusableSchemaError(`refers to ${String(value).slice(0, 200)}, which is not in the document`)
    default:
      return leaveOut(copying, keyword)
  }
}

/** What allows less when a part of it allows more, in words that do not: exactly one becomes at least one. */
function withoutOneOf(schema: JsonMap): JsonMap {
  const { oneOf, ...rest } = schema
  return oneOf === undefined || rest.anyOf !== undefined ? schema : { ...rest, anyOf: oneOf }
}

/**
 * Copies a schema as a tree of its own: bounded in size and depth, of keywords that the check of arguments knows. What is
 * left out makes it allow more, never less: the Brand's API has the last word. A schema within itself ends there, open to
 * any value.
 *
 * @throws UnusableSchemaError
 */
export function copySchema(copying: Copying, schema: unknown): JsonMap | boolean {
  if (typeof schema === 'boolean') return schema
  if (!isMap(schema)) throw new UnusableSchemaError('has a schema that is no object')
  copying.count += 1
  if (copying.count > MAX_SCHEMAS) throw new UnusableSchemaError('has too large a schema of its arguments')
  const copied = enter(copying, schema, () =>
    Object.fromEntries(
      Object.entries(withoutOneOf(schema))
        .map(([keyword, value]) => [keyword, copyKeyword(copying, keyword, value)])
        .filter(([, value]) => value !== undefined),
    ),
  )
  return copied ?? {}
}
