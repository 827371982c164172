import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { type Copying, copySchema, startCopying, UnusableSchemaError } from './copy-schema.ts'
import { readJsonBody } from './json-body.ts'
import { findHindrance, isBroughtAnyway, mergeParameters, type Parameter } from './parameters.ts'

/** The arguments of an operation, as a tool has them. */
export type OperationArguments = {
  /** JSON Schema; undefined where there are none. */
  schema: JsonMap | undefined
  /** The names of the path's variables among the arguments. */
  pathNames: ReadonlyMap<string, string>
  /** Arguments that go into the query though the call has a body. */
  query: string[]
  /** What the tool does otherwise than the operation would allow, in words. */
  notes: string[]
}

type Members = {
  properties: Map<string, JsonMap | boolean>
  required: Set<string>
  copying: Copying
}

function add({ properties }: Members, name: string, schema: JsonMap | boolean): void {
  if (properties.has(name)) throw new UnusableSchemaError(`has two arguments that are called ${name}`)
  properties.set(name, schema)
}

function describe(copied: JsonMap | boolean, { description }: Parameter): JsonMap | boolean {
  if (copied === false || description === undefined) return copied
  const own = copied === true ? {} : copied
  return { description: description.slice(0, 500), ...own }
}

function addQuery(members: Members, parameters: readonly Parameter[]): string[] {
  const names: string[] = []
  for (const parameter of parameters) {
    if (isBroughtAnyway(parameter)) continue
    const hindrance = findHindrance(parameter)
    if (hindrance && parameter.required) throw new UnusableSchemaError(`needs ${hindrance}`)
    if (hindrance) {
      members.copying.notes.add(`It is called without ${hindrance}.`)
      continue
    }
    add(members, parameter.name, describe(copySchema(members.copying, parameter.schema), parameter))
    if (parameter.required) members.required.add(parameter.name)
    names.push(parameter.name)
  }
  return names
}

function addBody(members: Members, body: unknown): void {
  for (const { name, schema, required } of readJsonBody(body)) {
    add(members, name, copySchema(members.copying, schema))
    if (required) members.required.add(name)
  }
}

/** A name for a path's variable that no other argument has: the call's URL does not show it. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const fit = name
    .replace(/\W/g, '_')
    .replace(/^(?=\d|$)/, '_')
    .slice(0, 50)
  const names = [fit, `path_${fit}`, ...Array.from({ length: 50 }, (_, index) => `path_${fit}_${index + 2}`)]
  const free = names.find((each) => !taken.has(each))
  if (free === undefined) throw new UnusableSchemaError(`has too many arguments that are called ${name}`)
  return free
}

function addPath(members: Members, parameters: readonly Parameter[]): Map<string, string> {
  const names = new Map<string, string>()
  for (const parameter of parameters) {
    const hindrance = findHindrance(parameter)
    if (hindrance) throw new UnusableSchemaError(`needs ${hindrance}`)
    const name = freeName(parameter.name, members.properties)
    add(members, name, describe(copySchema(members.copying, parameter.schema), parameter))
    // A path without one of its parts is another.
    members.required.add(name)
    names.set(parameter.name, name)
  }
  return names
}

function toSchema({ properties, required }: Members): JsonMap | undefined {
  if (properties.size === 0) return undefined
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.size > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  }
}

/**
 * The arguments of an operation: those of path, query and JSON body, side by side.
 *
 * @param shared the path's parameters, for all of its operations
 * @param operation with its own parameters and its body
 * @param hasBody whether the method sends one
 * @throws UnusableSchemaError where a tool could not make the call as it is meant
 */
export function readArguments(shared: unknown, operation: JsonMap, hasBody: boolean): OperationArguments {
  const members: Members = { properties: new Map(), required: new Set(), copying: startCopying() }
  const parameters = mergeParameters(shared, operation.parameters)
  const inPath = parameters.filter((each) => each.in === 'path')
  const query = addQuery(
    members,
    parameters.filter((each) => each.in !== 'path'),
  )
  const { requestBody } = operation
  if (requestBody !== undefined && hasBody) addBody(members, requestBody)
  if (isMap(requestBody) && !hasBody && requestBody.required === true) {
    throw new UnusableSchemaError('needs a body, which its method does not send here')
  }
  const pathNames = addPath(members, inPath)
  const notes = [...members.copying.notes]
  return { schema: toSchema(members), pathNames, query: hasBody ? query : [], notes }
}
