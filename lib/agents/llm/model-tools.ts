import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { type ArgumentCheck, buildArgumentCheck } from '../tools/argument-schema.ts'
import type { ToolSettings } from '../tools/schema.ts'
import { buildTool, type Tool } from '../tools/tool.ts'

/** A tool as a model is offered it. */
export type ModelTool = {
  tool: Tool
  description: string
  /** JSON Schema of the arguments that are the model's to choose. */
  schema: JsonMap
  /** Checks them alone. */
  check: ArgumentCheck
}

const noArguments = { type: 'object', additionalProperties: false }

/** Keywords whose schemas are about the same value as the schema that they stand in. */
const applicators = ['allOf', 'anyOf', 'oneOf'] as const

/** Makes others of the schemas in a list, or in a map; all else stays. */
function mapSchemas(part: unknown, change: (schema: JsonMap) => JsonMap): unknown {
  const changed = (each: unknown) => (isMap(each) ? change(each) : each)
  if (Array.isArray(part)) return part.map(changed)
  if (!isMap(part)) return part
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, changed(each)]))
}

/** Changes those parts of a schema that it has. */
function mapParts(schema: JsonMap, names: readonly string[], change: (part: unknown) => unknown): JsonMap {
  const parts = names
    .filter((name) => Object.hasOwn(schema, name))
    .map((name) => [name, change(schema[name])])
  return { ...schema, ...Object.fromEntries(parts) }
}

function withoutArgument(name: string, schema: JsonMap): JsonMap {
  const others = mapParts(schema, ['properties'], (part) =>
    isMap(part) ? Object.fromEntries(Object.entries(part).filter(([property]) => property !== name)) : part,
  )
  const asked = mapParts(others, ['required'], (part) =>
    Array.isArray(part) ? part.filter((property) => property !== name) : part,
  )
  return mapParts(asked, applicators, (part) => mapSchemas(part, (each) => withoutArgument(name, each)))
}

/** The values within a value: what a schema does not name in them, it does not name at all. */
function closeWithin(schema: JsonMap): JsonMap {
  const named = mapParts(schema, ['properties', 'prefixItems'], (part) => mapSchemas(part, closeValue))
  const listed = mapParts(named, ['items'], (part) => (isMap(part) ? closeValue(part) : part))
  return mapParts(listed, [...applicators, '$defs'], (part) => mapSchemas(part, closeWithin))
}

function namesProperties(schema: JsonMap): boolean {
  if (isMap(schema.properties)) return true
  const alternatives = applicators.flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []))
  return alternatives.some((each) => isMap(each) && namesProperties(each))
}

function closeValue(schema: JsonMap): JsonMap {
  const isOpen = !namesProperties(schema) || 'additionalProperties' in schema
  return { ...closeWithin(schema), ...(isOpen ? {} : { unevaluatedProperties: false }) }
}

/**
 * What a schema does not name, a model must not send: an API may understand it all the same, such as another spelling of the
 * User's argument. Only where no User is named a Brand may allow it; and within an argument, where it says so.
 */
function closed(schema: JsonMap, userArgument: string | undefined): JsonMap {
  const { additionalProperties, ...rest } = closeWithin(schema)
  const isOpen = additionalProperties !== undefined && additionalProperties !== false
  if (isOpen && userArgument === undefined) return { additionalProperties, ...rest }
  return { ...rest, unevaluatedProperties: false }
}

/**
 * A Brand's tools for a model, by name. Who the User is, no model is asked: that argument is not offered.
 *
 * @param network.allowPrivate whether they may reach private networks
 */
export function buildModelTools(
  tools: readonly ToolSettings[],
  network = { allowPrivate: false },
): ReadonlyMap<string, ModelTool> {
  return new Map(
    tools.map((settings) => {
      const { name, description, userArgument } = settings
      const written: JsonMap = { properties: {}, ...(settings.arguments ?? noArguments) }
      const schema = userArgument === undefined ? written : withoutArgument(userArgument, written)
      const check = buildArgumentCheck(closed(schema, userArgument))
      return [name, { tool: buildTool(settings, network), description, schema, check }]
    }),
  )
}
