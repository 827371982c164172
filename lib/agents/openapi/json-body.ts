import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { UnusableSchemaError } from './copy-schema.ts'

const jsonType = /^application\/json\s*(;|$)/i

function findSchema(body: unknown): unknown {
  const content = isMap(body) && isMap(body.content) ? body.content : {}
  const types = Object.keys(content)
  const type = types.find((name) => jsonType.test(name)) ?? types.find((name) => name === '*/*')
  if (type === undefined) {
    const named = types.slice(0, 3).join(', ').slice(0, 200)
    throw new UnusableSchemaError(`takes ${named || 'a body without a type'}, not JSON`)
  }
  const media = content[type]
  return isMap(media) ? media.schema : undefined
}

/** How deep an object may be made of others. */
const MAX_DEPTH = 8

function isNamedObject({ type, properties, allOf, anyOf, oneOf, not }: JsonMap): boolean {
  if (type !== undefined && type !== 'object') return false
  if (anyOf !== undefined || oneOf !== undefined || not !== undefined) return false
  return isMap(properties) || Array.isArray(allOf)
}

/** The objects that an object's schema consists of: itself, and what it must be besides. */
function partsOf(schema: unknown, depth = 0): JsonMap[] {
  if (!isMap(schema) || depth > MAX_DEPTH || !isNamedObject(schema)) {
    throw new UnusableSchemaError('takes a body that is not one JSON object with named parts')
  }
  const parts = Array.isArray(schema.allOf) ? schema.allOf.slice(0, 50) : []
  return [schema, ...parts.flatMap((part) => partsOf(part, depth + 1))]
}

function isReadOnly(schema: unknown): boolean {
  return isMap(schema) && schema.readOnly === true
}

/**
 * The named parts of an operation's JSON body, without those that only its API writes.
 *
 * @param body a Request Body Object, resolved
 * @throws UnusableSchemaError where it is not one object
 */
export function readJsonBody(body: unknown): { name: string; schema: unknown; required: boolean }[] {
  const parts = partsOf(findSchema(body))
  const required = new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : [])))
  const properties = new Map(
    parts.flatMap((part) => (isMap(part.properties) ? Object.entries(part.properties) : [])),
  )
  return [...properties]
    .filter(([, schema]) => !isReadOnly(schema))
    .map(([name, schema]) => ({ name, schema, required: required.has(name) }))
}
