import { dereference, upgrade } from '@scalar/openapi-parser'
import { parse } from 'yaml'
import { isMap, type JsonMap } from '#lib/platform/json-map.ts'
import { makeVisible } from '#lib/platform/text.ts'

export type ParsedDocument =
  /** OpenAPI 3.1, whatever it was written in; its `$ref`s are objects, which may contain themselves. */
  { ok: true; document: JsonMap } | { ok: false; reason: string }

/** How much a YAML document's aliases may multiply its content. */
const MAX_ALIASES = 1_000

/** Objects of the language treat this name apart: no document needs it. */
function withoutPrototype(key: unknown, value: unknown): unknown {
  return key === '__proto__' ? undefined : value
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, withoutPrototype)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** YAML has JSON in it. Its parser is slower by far, and says where a fault is instead of quoting what stands there. */
function parseText(text: string): unknown {
  const content = text.replace(/^\uFEFF/, '')
  const json = /^\s*[{[]/.test(content) ? parseJson(content) : undefined
  if (json !== undefined) return json
  return parse(content, withoutPrototype, { maxAliasCount: MAX_ALIASES, merge: true, logLevel: 'error' })
}

/** What is said of a text that does not parse: without the parser's quotation of it. */
function describeSyntax(error: unknown): string {
  if (error instanceof RangeError) return 'is nested too deeply'
  const [line = ''] = error instanceof Error ? error.message.split('\n', 1) : []
  return `is neither JSON nor YAML: ${makeVisible(line.slice(0, 200))}`
}

function describeVersion(content: JsonMap): string | undefined {
  const { openapi, swagger } = content
  if (typeof openapi === 'string' && /^3\.[012](\.|$)/.test(openapi)) return undefined
  if (swagger !== undefined) return 'is Swagger 2.0: convert it to OpenAPI 3 first'
  return 'is not an OpenAPI 3 document: it must have `openapi: 3.0.x` or `3.1.x`'
}

function resolve(content: JsonMap): ParsedDocument {
  const fault = describeVersion(content)
  if (fault) return { ok: false, reason: fault }
  if (!isMap(content.paths)) return { ok: false, reason: 'has no paths' }
  const upgraded = upgrade({ ...content }).specification
  const document: unknown = dereference(upgraded as Record<string, unknown>).schema
  return isMap(document) ? { ok: true, document } : { ok: false, reason: 'can not be read' }
}

/**
 * Parses an OpenAPI document. Nothing is fetched: a `$ref` to another document stays as it is. It works in memory and time
 * that a hostile text decides: call it where both are limited.
 *
 * @param text JSON or YAML
 * @returns what is wrong with it, as text for whoever gave it: "is …", "has …"
 */
export function parseDocument(text: string): ParsedDocument {
  let content: unknown
  try {
    content = parseText(text)
  } catch (error) {
    return { ok: false, reason: describeSyntax(error) }
  }
  if (!isMap(content)) return { ok: false, reason: 'is not an OpenAPI 3 document' }
  try {
    return resolve(content)
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, reason: 'is nested too deeply' }
    return { ok: false, reason: 'can not be read: its parts do not fit together' }
  }
}
