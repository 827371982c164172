import { Ajv2020, type AnySchemaObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** A tool's arguments, by name. */
export type ToolArguments = Record<string, unknown>

/** Says what is wrong with arguments; undefined when nothing is. Numbers written as text become numbers where asked for. */
export type ArgumentCheck = (values: ToolArguments) => string | undefined

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
    coerceTypes: true,
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

/**
 * Compiles the JSON Schema of a tool's arguments.
 *
 * @throws when {@link findSchemaFault} finds a fault
 */
export function buildArgumentCheck(schema: AnySchemaObject = nothing): ArgumentCheck {
  const validate = compile(schema)
  return (values) => {
    if (validate(values)) return undefined
    const [error] = validate.errors ?? []
    return `arguments${error?.instancePath ?? ''} ${error?.message ?? 'are not valid'}`
  }
}
