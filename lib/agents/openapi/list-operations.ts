import type { z } from 'zod'
import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { type ToolSettings, toolSchema } from '../tools/schema.ts'
import { UnusableSchemaError } from './copy-schema.ts'
import { readArguments } from './operation-arguments.ts'
import { readServer } from './server-url.ts'
import { nameTool } from './tool-name.ts'

/** How many operations of one document are looked at. */
export const MAX_OPERATIONS = 500
/** The largest schema of a tool's arguments, in bytes of JSON. */
const MAX_SCHEMA_BYTES = 32 * 1024

/** An operation of a Brand's API, as its document describes it. */
export type ImportedOperation = {
  /** In upper case. */
  method: string
  path: string
  summary: string
  deprecated: boolean
  /** What the document says that a token must allow, by the API's own names. */
  scopes: string[]
} & (
  | {
      /** Without a scope: which one it needs is for the Brand to say. */
      tool: ToolSettings
      /** What the tool does otherwise than the operation would allow, in words. */
      notes: string[]
    }
  /** Why it can't be a tool: "has …", "needs …". */
  | { unsupported: string }
)

export type ListOptions = {
  /** Where the document was found. */
  base?: string | undefined
  /** Where the API is, whatever the document says. */
  server?: string | undefined
  allowLoopback: boolean
  /** Whether the Brand's tools may reach private networks. Left out: they may not. */
  allowPrivate?: boolean
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'] as const
type ToolMethod = ToolSettings['request']['method']
const toolMethods: ReadonlySet<string> = new Set<ToolMethod>(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const withBody: ReadonlySet<string> = new Set<ToolMethod>(['POST', 'PUT', 'PATCH'])

function isToolMethod(method: string): method is ToolMethod {
  return toolMethods.has(method)
}

type Found = { method: string; path: string; item: JsonMap; operation: JsonMap }

function* findOperations(document: JsonMap): Generator<Found> {
  for (const [path, item] of Object.entries(isMap(document.paths) ? document.paths : {})) {
    if (!isMap(item)) continue
    for (const method of methods) {
      const operation = item[method]
      if (isMap(operation)) yield { method: method.toUpperCase(), path, item, operation }
    }
  }
}

/** A document's text as people may read it: in full, with what would deceive them made visible. */
function toText(text: unknown, max: number): string {
  if (typeof text !== 'string') return ''
  const lines = text.toWellFormed().replace(/\r\n?/g, '\n').replace(/\t/g, ' ').split('\n')
  return lines
    .map((line) => makeVisible(line.slice(0, max)))
    .join('\n')
    .trim()
    .slice(0, max)
    .toWellFormed()
    .trim()
}

function describe({ operation, method, path }: Found): string {
  const parts = [toText(operation.summary, 300), toText(operation.description, 600)]
  const said = [...new Set(parts)].filter((part) => part !== '').join('\n\n')
  return said === '' ? toText(`${method} ${path}`, 1_000) : said
}

function readScopes(security: unknown): string[] {
  const wanted = Array.isArray(security) ? security.filter(isMap) : []
  const scopes = wanted.flatMap((each) => Object.values(each).flat())
  return [...new Set(scopes.filter((scope) => typeof scope === 'string'))].slice(0, 20)
}

function buildUrl(document: JsonMap, found: Found, names: ReadonlyMap<string, string>, options: ListOptions) {
  const { server, base } = options
  const servers = found.operation.servers ?? found.item.servers ?? document.servers
  const at = server === undefined ? readServer(servers, base) : readServer([{ url: server }], base)
  if (!at.ok) throw new UnusableSchemaError(at.reason)
  return (
    at.url +
    found.path.replace(/\{([^{}]*)\}/g, (_, variable: string) => {
      const name = names.get(variable)
      if (name === undefined) throw new UnusableSchemaError(`does not say what {${variable}} in its path is`)
      return `{${name}}`
    })
  )
}

type Built = Pick<Extract<ImportedOperation, { tool: unknown }>, 'tool' | 'notes'>

function buildTool(
  document: JsonMap,
  found: Found,
  { name, schema, options }: { name: string; schema: z.ZodType<ToolSettings>; options: ListOptions },
): Built | { unsupported: string } {
  const { method, operation, item } = found
  if (!isToolMethod(method)) return { unsupported: `has the method ${method}, which no tool has` }
  const { notes, pathNames, query, ...read } = readArguments(item.parameters, operation, withBody.has(method))
  if (Buffer.byteLength(JSON.stringify(read.schema ?? {})) > MAX_SCHEMA_BYTES) {
    return { unsupported: 'has too large a schema of its arguments' }
  }
  const parsed = schema.safeParse({
    name,
    description: describe(found),
    changes: method !== 'GET',
    ...(read.schema ? { arguments: read.schema } : {}),
    request: {
      method,
      url: buildUrl(document, found, pathNames, options),
      ...(query.length > 0 ? { query } : {}),
    },
  })
  if (parsed.success) return { tool: parsed.data, notes }
  const [{ path = [], message } = { path: [], message: 'is not usable' }] = parsed.error.issues
  return { unsupported: `would be a tool whose ${path.join('.') || 'settings'} ${message}` }
}

function readOperation(
  document: JsonMap,
  found: Found,
  building: { name: string; schema: z.ZodType<ToolSettings>; options: ListOptions },
): ImportedOperation {
  const { method, path, operation } = found
  const about = {
    method,
    path: toText(path, 500),
    summary: toText(operation.summary, 300),
    deprecated: operation.deprecated === true,
    scopes: readScopes(operation.security ?? document.security),
  }
  try {
    return { ...about, ...buildTool(document, found, building) }
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { ...about, unsupported: error.message }
    if (error instanceof RangeError) return { ...about, unsupported: 'is nested too deeply' }
    throw error
  }
}

/**
 * What a document offers as tools: its operations, in its order, at most {@link MAX_OPERATIONS}. One that can't be a tool
 * says why, and keeps none of the others from it.
 *
 * @param document as `parseDocument` gives it
 * @returns `more`: how many operations there are beyond those
 */
export function listOperations(
  document: JsonMap,
  options: ListOptions,
): { operations: ImportedOperation[]; more: number } {
  const { allowLoopback, allowPrivate = false } = options
  const schema = toolSchema({ allowLoopback, allowPrivate })
  const taken = new Set<string>()
  const all = [...findOperations(document)]
  const operations = all.slice(0, MAX_OPERATIONS).map((found) => {
    const name = nameTool({ ...found, operationId: found.operation.operationId }, taken)
    return readOperation(document, found, { name, schema, options })
  })
  return { operations, more: Math.max(0, all.length - MAX_OPERATIONS) }
}
