import { z } from 'zod'
import { namedSchemas } from './named-schemas.ts'

/** A JSON Schema (2020-12), as OpenAPI 3.1 has it. */
export type JsonSchema = { [keyword: string]: unknown }

const PREFIX = '#/components/schemas/'
/** What zod calls the schemas that name themselves: `z.json()` alone does. */
const SHARED = /"#\/components\/schemas\/__shared#\/\$defs\/\w+"/g
const ANY_JSON = 'AnyJson'

type Override = NonNullable<Parameters<typeof z.toJSONSchema>[1]>['override']

/** A schema that stands in another's place, and says in `of` which. */
function standsFor(schema: z.core.$ZodType): string | undefined {
  const of = z.globalRegistry.get(schema)?.of
  return of instanceof z.ZodType ? namedSchemas.get(of)?.id : undefined
}

const override: Override = ({ zodSchema, jsonSchema }) => {
  if (zodSchema._zod.def.type === 'date') Object.assign(jsonSchema, { type: 'string', format: 'date-time' })
  // A format says it in a word.
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  const id = standsFor(zodSchema)
  if (id === undefined) return
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
  jsonSchema.$ref = PREFIX + id
}

// What goes in and what comes out look alike: no schema of an answer has a default or changes what it gets.
const options = { io: 'input', unrepresentable: 'any', override } as const

const plain = ({ $schema: _dialect, $id: _id, ...schema }: JsonSchema): JsonSchema => schema

/** All schemas that have a name, by it. */
export function listNamedSchemas(): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(namedSchemas, { ...options, uri: (id) => PREFIX + id })
  const text = JSON.stringify(schemas).replace(SHARED, `"${PREFIX}${ANY_JSON}"`)
  const { __shared: _, ...byName }: Record<string, JsonSchema> = JSON.parse(text)
  const entries = Object.entries({ ...byName, [ANY_JSON]: { description: 'Any JSON.' } })
  return Object.fromEntries(
    entries.map(([name, schema]) => [name, plain(schema)] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** A reference to a schema that has a name. */
export function refTo(schema: z.ZodType): JsonSchema {
  const id = namedSchemas.get(schema)?.id
  if (id === undefined) throw new Error('a schema of an operation has no name')
  return { $ref: PREFIX + id }
}

/** The members of an object's schema, and which of them must be there. */
export function listMembers(schema: z.ZodObject): { name: string; schema: JsonSchema; required: boolean }[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, options)
  return Object.entries(properties).map(([name, member]) => ({
    name,
    schema: typeof member === 'object' ? { ...member } : {},
    required: required.includes(name),
  }))
}
