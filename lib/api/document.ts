import { config } from '#lib/platform/config.ts'
import { type JsonSchema, listMembers, listNamedSchemas, refTo } from './json-schemas.ts'
import { named } from './named-schemas.ts'
import { type Operation, tags } from './operation.ts'
import { operations } from './operations.ts'
import { type ProblemKind, problemKinds } from './problem-kinds.ts'
import { problemSchema } from './problem-schema.ts'

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

type Content = Record<string, { schema: JsonSchema; example?: unknown }>
type DocumentedResponse = {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  content?: Content
}

export type DocumentedOperation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  'x-permission': string
  parameters?: Parameter[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, DocumentedResponse>
}

export type ApiDocument = {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Partial<Record<'get' | 'post' | 'put', DocumentedOperation>>>
  components: {
    securitySchemes: Record<string, { type: string; scheme: string; description: string }>
    schemas: Record<string, JsonSchema>
  }
}

const description = [
  'The console’s API: everything that the console does, with an API token that a person makes there. A token never allows more than its owner may at that moment.',
  'Lists come in pages: `limit`, and `cursor` with the `nextCursor` of the page before. Errors are problems (RFC 9457).',
  'What is replaced needs `If-Match` with the `ETag` of what was read. A POST with an `Idempotency-Key` is done once, however often it is sent within a day.',
].join('\n\n')

function withDescription({ description: text, ...schema }: JsonSchema) {
  return { ...(typeof text === 'string' ? { description: text } : {}), schema }
}

function listParameters({ method, params, query, ifMatch, harmless }: Operation): Parameter[] {
  const header = (name: string, text: string, required: boolean): Parameter => ({
    name,
    in: 'header',
    required,
    description: text,
    schema: { type: 'string' },
  })
  const inPath = params ? listMembers(params) : []
  const inQuery = query ? listMembers(query) : []
  return [
    ...inPath.map(({ name, schema }) => ({ name, in: 'path', required: true, schema }) as const),
    ...inQuery.map(
      ({ name, schema, required }) => ({ name, in: 'query', required, ...withDescription(schema) }) as const,
    ),
    ...(ifMatch ? [header('If-Match', 'The `ETag` of what was read.', true)] : []),
    ...(method === 'POST' && !harmless
      ? [header('Idempotency-Key', 'Chosen by the caller, another for each request.', false)]
      : []),
  ]
}

/** The problems that an operation can answer with, beside those of every one. */
function listProblems({ method, at, params, body, ifMatch, harmless }: Operation): ProblemKind[] {
  const once: ProblemKind[] = method === 'POST' && !harmless ? ['in-progress', 'key-reused'] : []
  return [
    'invalid-request',
    'unauthorized',
    'forbidden',
    'second-factor-required',
    ...(params || at !== 'provider' ? (['not-found'] as const) : []),
    ...(body ? (['too-large', 'unsupported-media-type', 'invalid-content'] as const) : []),
    ...(ifMatch ? (['stale', 'version-required'] as const) : []),
    ...once,
    'too-many-requests',
    'internal',
  ]
}

function documentProblems(operation: Operation, problem: JsonSchema): Record<string, DocumentedResponse> {
  const byStatus = Map.groupBy(listProblems(operation), (kind) => String(problemKinds[kind].status))
  return Object.fromEntries(
    [...byStatus].map(([status, kinds]) => [
      status,
      {
        description: kinds.map((kind) => `${problemKinds[kind].title}.`).join(' '),
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  )
}

/** Whether an operation's answer is a thing with a version: what can be replaced where it stands. */
function hasVersion({ path }: Operation): boolean {
  return operations().some((other) => other.path === path && other.ifMatch)
}

function documentSuccess(operation: Operation): DocumentedResponse {
  const { answer, files = [], status = 200, summary } = operation
  const etag = { ETag: { description: 'Its version, for `If-Match`.', schema: { type: 'string' } } }
  if (!answer) {
    const asFile = files.map((type) => [type, { schema: { type: 'string' } }] as const)
    return { description: summary, content: Object.fromEntries(asFile) }
  }
  return {
    description: status === 201 ? 'Made.' : 'Done.',
    ...(hasVersion(operation) ? { headers: etag } : {}),
    content: { 'application/json': { schema: refTo(answer) } },
  }
}

function documentOperation(operation: Operation, problem: JsonSchema): DocumentedOperation {
  const { id, tag, summary, description: text, permission, body, example, status = 200 } = operation
  const parameters = listParameters(operation)
  const content = body && { schema: refTo(body), ...(example === undefined ? {} : { example }) }
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text ? { description: text } : {}),
    'x-permission': permission,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(content ? { requestBody: { required: true, content: { 'application/json': content } } } : {}),
    responses: { [status]: documentSuccess(operation), ...documentProblems(operation, problem) },
  }
}

let made: ApiDocument | undefined

/** The API's document (OpenAPI 3.1), made of its operations and the schemas that check them. It is made once. */
export function getDocument(): ApiDocument {
  made ??= buildDocument()
  return made
}

function buildDocument(): ApiDocument {
  const all = operations()
  const problem = refTo(named('Problem', problemSchema))
  const paths: ApiDocument['paths'] = {}
  for (const operation of all) {
    const method = operation.method.toLowerCase() as 'get' | 'post' | 'put'
    paths[operation.path] = { ...paths[operation.path], [method]: documentOperation(operation, problem) }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'PACT Provider: the console’s API', version: '1', description },
    servers: [{ url: `${config().providerUrl}/api/v1` }],
    tags: tags.map((name) => ({ name })),
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API token, `pact_…`, made in the console.',
        },
      },
      schemas: listNamedSchemas(),
    },
  }
}
