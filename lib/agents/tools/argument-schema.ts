import { Ajv2020, type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { convertArgument } from './convert-argument.ts'

/** A tool's arguments, by name. */
export type ToolArguments = Record<string, unknown>

/** Arguments of the types that their schema asks for; or what is wrong with them. */
export type CheckedArguments = { ok: true; values: ToolArguments } | { ok: false; fault: string }

/** Checks arguments against their schema, and converts them as {@link convertArgument} does. */
export type ArgumentCheck = (values: ToolArguments) => CheckedArguments

// A pattern of the schema meets what a User wrote: it must answer in time linear to it.
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    return { test: (text: string) => compiled.test(text) }
  },
  { code: 'linearRegExp' },
)

function buildValidator(): Ajv2020 {
  return new Ajv2020({
    strictTypes: false,
    strictTuples: false,
    validateFormats: false,
    meta: false,
    validateSchema: false,
    logger: false,
    code: { regExp: linearRegExp },
  })
}

const metaValidator = new Ajv2020({ logger: false, validateFormats: false })

/** Compiling costs milliseconds, and a Brand is read again whenever anything of the registry changes. */
const compiled = new LRUCache<string, ValidateFunction>({ max: 500 })

function compile(schema: AnySchemaObject): ValidateFunction {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known) return known
  // One validator for each schema: an `$id` may stand in several.
  const validate = buildValidator().compile(schema)
  compiled.set(key, validate)
  return validate
}

/** What is wrong with `schema` as the JSON Schema (2020-12) of a tool's arguments; undefined when nothing is. */
export function findSchemaFault(schema: AnySchemaObject): string | undefined {
  if (schema.type !== 'object') return 'must be a JSON Schema of type "object"'
  try {
    if (metaValidator.validateSchema(schema) !== true) {
      return `is not a JSON Schema: ${metaValidator.errorsText(metaValidator.errors, { dataVar: 'schema' })}`
    }
    compile(schema)
    return undefined
  } catch (error) {
    return `is not a usable JSON Schema: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** A tool without a schema takes no arguments. */
const nothing = { type: 'object', additionalProperties: false }

/** The argument that an error finds to be of another type, and the types that it may have. */
function findMistyped({ keyword, instancePath, params }: ErrorObject) {
  if (keyword !== 'type' || instancePath.lastIndexOf('/') !== 0) return undefined
  // RFC 6901 §4.
  const name = instancePath.slice(1).replaceAll('~1', '/').replaceAll('~0', '~')
  return { name, types: new Set<string>([params.type].flat()) }
}

/** Converts the first of the arguments that the errors are about; false when there is none to convert. */
function convertOne(values: ToolArguments, errors: readonly ErrorObject[], converted: Set<string>): boolean {
  for (const error of errors) {
    const found = findMistyped(error)
    if (!found || converted.has(found.name)) continue
    const value = convertArgument(values[found.name], found.types)
    if (value === undefined) continue
    converted.add(found.name)
    values[found.name] = value
    return true
  }
  return false
}

/**
 * Compiles the JSON Schema of a tool's arguments.
 *
 * @throws when {@link findSchemaFault} finds a fault
 */
export function buildArgumentCheck(schema: AnySchemaObject = nothing): ArgumentCheck {
  const validate = compile(schema)
  return (given) => {
    const values = { ...given }
    const converted = new Set<string>()
    for (;;) {
      if (validate(values)) return { ok: true, values }
      const errors = validate.errors ?? []
      if (convertOne(values, errors, converted)) continue
      const [error] = errors
      return {
        ok: false,
        fault: `arguments${error?.instancePath ?? ''} ${error?.message ?? 'are not valid'}`,
      }
    }
  }
}
