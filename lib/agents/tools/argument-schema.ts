import { Ajv2020, type AnySchemaObject, type ErrorObject } from 'ajv/dist/2020.js'
import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'
import { compilePattern } from '../pattern.ts'
import { estimateCost } from './checking-cost.ts'
import { convertArgument } from './convert-argument.ts'
import { runBounded } from './run-bounded.ts'

/** A tool's arguments, by name. */
export type ToolArguments = Record<string, unknown>

/** Arguments of the types that their schema asks for; or what is wrong with them. */
export type CheckedArguments = { ok: true; values: ToolArguments } | { ok: false; fault: string }

/** Checks arguments against their schema, and converts them as {@link convertArgument} does. */
export type ArgumentCheck = (values: ToolArguments) => CheckedArguments

/** How long one check may take, in milliseconds: a schema and what is checked may be somebody's bad intention. */
const TIME_LIMIT = 250

/** The largest check, as {@link estimateCost} says, that needs nobody to end it. */
const QUICK = 4_000_000

// A pattern of the schema meets what a User wrote: it must answer in time linear to it.
const linearRegExp = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern)
    return { test: (text: string) => compiled.test(text) }
  },
  { code: 'linearRegExp' },
)

// Of what somebody writes, the limits of every other pattern are asked, too.
const limitedRegExp = Object.assign(
  (pattern: string) => {
    const compiled = compilePattern(pattern)
    if (!compiled.ok)
      throw new Error(`its pattern ${pattern.slice(0, 100)} can not be used: ${compiled.reason}`)
    return linearRegExp(pattern)
  },
  { code: 'limitedRegExp' },
)

function buildValidator(regExp: typeof linearRegExp): Ajv2020 {
  return new Ajv2020({
    strictTypes: false,
    strictTuples: false,
    validateFormats: false,
    meta: false,
    validateSchema: false,
    logger: false,
    code: { regExp },
  })
}

const metaValidator = new Ajv2020({ logger: false, validateFormats: false })

/** Compiling costs milliseconds, and a Brand is read again whenever anything of the registry changes. */
const compiled = new LRUCache<string, Validate>({ max: 500 })

/** Finds what is wrong with arguments: these errors, if any; undefined: that takes too long. */
type Validate = (values: ToolArguments) => readonly ErrorObject[] | undefined

function compile(schema: AnySchemaObject): Validate {
  const key = JSON.stringify(schema)
  const known = compiled.get(key)
  if (known) return known
  // One validator for each schema: an `$id` may stand in several.
  const validate = buildValidator(linearRegExp).compile(schema)
  const findErrors = (values: ToolArguments) => (validate(values) ? [] : (validate.errors ?? []))
  const costOf = estimateCost(schema)
  const findBounded: Validate = (values) => {
    const isQuick = costOf(JSON.stringify(values).length) <= QUICK
    return isQuick ? findErrors(values) : runBounded(() => findErrors(values), TIME_LIMIT)
  }
  compiled.set(key, findBounded)
  return findBounded
}

/** What is wrong with `schema` as the JSON Schema (2020-12) of a tool's arguments; undefined when nothing is. */
export function findSchemaFault(schema: AnySchemaObject): string | undefined {
  if (schema.type !== 'object') return 'must be a JSON Schema of type "object"'
  try {
    if (metaValidator.validateSchema(schema) !== true) {
      return `is not a JSON Schema: ${metaValidator.errorsText(metaValidator.errors, { dataVar: 'schema' })}`
    }
    buildValidator(limitedRegExp).compile(schema)
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
      const errors = validate(values)
      if (!errors) return { ok: false, fault: 'arguments take too long to check' }
      if (errors.length === 0) return { ok: true, values }
      if (convertOne(values, errors, converted)) continue
      const [error] = errors
      return {
        ok: false,
        fault: `arguments${error?.instancePath ?? ''} ${error?.message ?? 'are not valid'}`,
      }
    }
  }
}
