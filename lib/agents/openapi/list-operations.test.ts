import { describe, expect, it } from 'vitest'
import { type ImportedOperation, listOperations, MAX_OPERATIONS } from './list-operations.ts'
import { parseDocument } from './parse-document.ts'

const options = { allowLoopback: false }

function list(document: object, given: object = {}) {
  const parsed = parseDocument(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Orders', version: '1' },
      servers: [{ url: 'https://api.example/v1/' }],
      ...document,
    }),
  )
  if (!parsed.ok) throw new Error(parsed.reason)
  return listOperations(parsed.document, { ...options, ...given })
}

/** The one operation of a document that has no other. */
function read(
  operation: object,
  { method = 'get', path = '/orders', ...rest }: Record<string, unknown> = {},
) {
  const { operations } = list({ paths: { [path as string]: { [method as string]: operation } }, ...rest })
  return operations[0] as ImportedOperation
}

function toolOf(operation: ImportedOperation) {
  if (!('tool' in operation)) throw new Error(operation.unsupported)
  return operation.tool
}

const inPath = { name: 'id', in: 'path', required: true, schema: { type: 'string' } }
const jsonBody = (schema: unknown) => ({ requestBody: { content: { 'application/json': { schema } } } })

describe('an operation becomes a tool', () => {
  it('with its path’s, its query’s and its body’s arguments side by side', () => {
    const operation = read(
      {
        operationId: 'orders.cancel',
        summary: 'Cancels an order',
        description: 'Only before it has been shipped.',
        parameters: [
          {
            name: 'order-id',
            in: 'path',
            required: true,
            schema: { type: 'string' },
            description: 'Its number',
          },
          { name: 'notify', in: 'query', schema: { type: 'boolean' } },
        ],
        security: [{ oauth: ['orders:write'] }],
        ...jsonBody({
          type: 'object',
          required: ['reason', 'state'],
          properties: {
            reason: { type: 'string', maxLength: 200 },
            state: { type: 'string', readOnly: true },
          },
        }),
      },
      { method: 'post', path: '/orders/{order-id}/cancel' },
    )
    expect(operation).toMatchObject({
      method: 'POST',
      scopes: ['orders:write'],
      deprecated: false,
      notes: [],
    })
    expect(toolOf(operation)).toEqual({
      name: 'orders_cancel',
      description: 'Cancels an order\n\nOnly before it has been shipped.',
      changes: true,
      arguments: {
        type: 'object',
        properties: {
          notify: { type: 'boolean' },
          reason: { type: 'string', maxLength: 200 },
          order_id: { type: 'string', description: 'Its number' },
        },
        required: ['reason', 'order_id'],
        additionalProperties: false,
      },
      request: { method: 'POST', url: 'https://api.example/v1/orders/{order_id}/cancel', query: ['notify'] },
    })
  })

  it('that changes nothing where it is a GET, and has no arguments where there are none', () => {
    expect(toolOf(read({}))).toEqual({
      name: 'get_orders',
      description: 'GET /orders',
      changes: false,
      request: { method: 'GET', url: 'https://api.example/v1/orders' },
    })
  })

  it('with references resolved, also those of its path and of all that they refer to', () => {
    const components = {
      parameters: { Id: { ...inPath, schema: { $ref: '#/components/schemas/Id' } } },
      schemas: { Id: { type: 'string', pattern: '^A-[0-9]+$' } },
    }
    const paths = {
      '/orders/{id}': { parameters: [{ $ref: '#/components/parameters/Id' }], get: {}, delete: {} },
    }
    const { operations } = list({ paths, components })
    expect(operations.map(toolOf)).toMatchObject([
      { name: 'get_orders_id', arguments: { properties: { id: { type: 'string', pattern: '^A-[0-9]+$' } } } },
      { name: 'delete_orders_id', changes: true },
    ])
  })

  it('from OpenAPI 3.0, in the words of 3.1', () => {
    const schema = { type: 'integer', minimum: 0, exclusiveMinimum: true, nullable: true, example: 3 }
    const operation = read({ parameters: [{ name: 'count', in: 'query', schema }] }, { openapi: '3.0.3' })
    expect(toolOf(operation).arguments?.properties).toEqual({
      count: { type: ['integer', 'null'], exclusiveMinimum: 0 },
    })
  })

  it('with a name of its own for a path’s variable that is called as another argument', () => {
    const operation = read(
      { parameters: [inPath], ...jsonBody({ type: 'object', properties: { id: { type: 'string' } } }) },
      { method: 'put', path: '/orders/{id}' },
    )
    expect(toolOf(operation)).toMatchObject({
      arguments: { required: ['path_id'] },
      request: { url: 'https://api.example/v1/orders/{path_id}' },
    })
  })

  it('with what its body must be besides', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
        { properties: { b: { oneOf: [{ type: 'string' }, { type: 'null' }] } } },
      ],
    }
    expect(toolOf(read(jsonBody(schema), { method: 'post' })).arguments).toMatchObject({
      properties: { a: { type: 'string' }, b: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['a'],
    })
  })

  it('without the parameters that it can do without, and says so', () => {
    const parameters = [
      { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
      { name: 'Authorization', in: 'header', required: true, schema: { type: 'string' } },
      { name: 'filter', in: 'query', style: 'deepObject', schema: { type: 'object' } },
    ]
    const operation = read({ parameters })
    expect(toolOf(operation).arguments).toBeUndefined()
    expect(operation).toMatchObject({
      notes: [
        'It is called without the header X-Trace.',
        'It is called without the parameter filter, which is written in a way of its own.',
      ],
    })
  })

  it.each([
    [{ operationId: 'get orders / 2024-é' }, 'get_orders_2024'],
    [{ operationId: '2fa' }, '_2fa'],
    [{ operationId: '__proto__' }, 'proto'],
    [{ operationId: '日本' }, 'get_orders'],
    [{ operationId: 'x'.repeat(100) }, 'x'.repeat(64)],
  ])('named by %j', (operation, name) => {
    expect(toolOf(read(operation)).name).toBe(name)
  })

  it('with names that differ', () => {
    const same = { get: { operationId: 'a' }, post: { operationId: 'a' }, put: { operationId: 'a!' } }
    expect(list({ paths: { '/a': same } }).operations.map((each) => toolOf(each).name)).toEqual([
      'a',
      'a_2',
      'a_3',
    ])
  })

  it('whose words deceive nobody', () => {
    const { description } = toolOf(read({ summary: 'Pay\u202e\u0000 now\ud800\r\nsafely' }))
    expect(description).toBe('Pay[U+202E][U+0000] now\ufffd\nsafely')
  })
})

describe('where an operation’s server is', () => {
  const at = (servers: unknown, given: object = {}) => {
    const [operation] = list({ paths: { '/a': { get: {} } }, servers }, given).operations
    return operation && 'tool' in operation ? operation.tool.request.url : operation?.unsupported
  }
  const base = 'https://docs.example/api/openapi.json'

  it.each([
    [[{ url: '/v2' }], { base }, 'https://docs.example/v2/a'],
    [[{ url: 'v2/' }], { base }, 'https://docs.example/api/v2/a'],
    [undefined, { base }, 'https://docs.example/a'],
    [[{ url: '/v2' }], { server: 'https://own.example/x/' }, 'https://own.example/x/a'],
    [
      [{ url: 'https://{region}.api.example', variables: { region: { default: 'eu' } } }],
      {},
      'https://eu.api.example/a',
    ],
  ])('%j with %j: %s', (servers, given, url) => {
    expect(at(servers, given)).toBe(url)
  })

  it.each([
    [[{ url: '/v2' }], 'has no absolute server address: say where the API is'],
    [[{ url: 'https://{region}.example' }], 'has a server whose address has an unknown part'],
    [
      [{ url: 'https://{constructor}.example', variables: {} }],
      'has a server whose address has an unknown part',
    ],
    [[{ url: 'http://api.example' }], 'would be a tool whose request.url must start with https://'],
    [[{ url: 'file:///etc' }], 'would be a tool whose request.url must start with https://'],
    [
      [{ url: 'https://10.0.0.1' }],
      'would be a tool whose request.url must not point to a private or reserved address',
    ],
    [[{ url: 'http://localhost:1' }], /must not point to this machine/],
    [[{ url: 'https://a:b@api.example' }], /must not contain a user name/],
  ])('%j: %s', (servers, reason) => {
    expect(at(servers)).toMatch(reason)
  })
})

describe('an operation that can’t be a tool says why, and keeps no other from it', () => {
  it.each<[string, object, string, Record<string, unknown>?]>([
    ['its method', {}, 'has the method TRACE, which no tool has', { method: 'trace' }],
    [
      'a header that it needs',
      { parameters: [{ name: 'X-Shop', in: 'header', required: true }] },
      'needs the header X-Shop',
    ],
    [
      'a cookie that it needs',
      { parameters: [{ name: 's', in: 'cookie', required: true }] },
      'needs the cookie s',
    ],
    [
      'a path that it does not explain',
      {},
      'does not say what {id} in its path is',
      { path: '/orders/{id}' },
    ],
    [
      'a body that is no JSON',
      { requestBody: { content: { 'multipart/form-data': {} } } },
      'takes multipart/form-data, not JSON',
      { method: 'post' },
    ],
    [
      'a body that is a list',
      jsonBody({ type: 'array', items: {} }),
      'takes a body that is not one JSON object with named parts',
      { method: 'post' },
    ],
    [
      'a GET that needs a body',
      { requestBody: { required: true, content: {} } },
      'needs a body, which its method does not send here',
    ],
    [
      'two arguments of one name',
      { parameters: [{ name: 'a', in: 'query', schema: {} }], ...jsonBody({ properties: { a: {} } }) },
      'has two arguments that are called a',
      { method: 'post' },
    ],
    [
      'a reference to another document',
      { parameters: [{ name: 'a', in: 'query', schema: { $ref: 'https://evil.example/a.json' } }] },
      'refers to https://evil.example/a.json, which is not in the document',
    ],
    [
      'a reference to nothing',
      { parameters: [{ name: 'a', in: 'query', schema: { $ref: '#/nowhere' } }] },
      'refers to #/nowhere, which is not in the document',
    ],
    [
      'a parameter that is none',
      { parameters: [{ name: 'a', in: 'air' }] },
      'has a parameter that is not one of OpenAPI 3',
    ],
    [
      'a parameter with a name apart',
      { parameters: [{ name: '__proto__', in: 'query', schema: {} }] },
      'has a parameter that is not one of OpenAPI 3',
    ],
    [
      'a schema that is none',
      { parameters: [{ name: 'a', in: 'query', schema: { type: 'word' } }] },
      'would be a tool whose arguments is not a JSON Schema: schema/properties/a/type must be equal to one of the allowed values, schema/properties/a/type must be array, schema/properties/a/type must match a schema in anyOf',
    ],
  ])('%s', (_, operation, unsupported, rest) => {
    expect(read(operation, rest)).toMatchObject({ unsupported })
  })

  it('too large a schema', () => {
    const properties = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`p${index}`, {}]))
    const bad = jsonBody({ properties })
    const { operations } = list({ paths: { '/a': { post: bad, get: {} } } })
    expect(operations.map((each) => ('tool' in each ? each.tool.name : each.unsupported))).toEqual([
      'get_a',
      'has too large a schema of its arguments',
    ])
  })

  it.each([
    [
      { enum: Array.from({ length: 20_000 }, (_, index) => `value ${index}`) },
      'has too large a schema of its arguments',
    ],
    [JSON.parse(`${'{"items":'.repeat(60)}{}${'}'.repeat(60)}`), 'has too deep a schema of its arguments'],
  ])('a hostile schema', (schema, unsupported) => {
    expect(read({ parameters: [{ name: 'a', in: 'query', schema }] })).toMatchObject({ unsupported })
  })
})

describe('a hostile document', () => {
  it('a schema within itself ends there', () => {
    const schemas = {
      Part: { type: 'object', properties: { next: { $ref: '#/components/schemas/Part' } } },
      Loop: { $ref: '#/components/schemas/Loop' },
      All: { allOf: [{ $ref: '#/components/schemas/All' }] },
    }
    const body = jsonBody({
      properties: {
        part: { $ref: '#/components/schemas/Part' },
        loop: { $ref: '#/components/schemas/Loop' },
        all: { $ref: '#/components/schemas/All' },
      },
    })
    const operation = read(body, { method: 'post', components: { schemas } })
    expect(operation).toMatchObject({
      notes: ['A part of its arguments contains itself: from there on, anything is taken.'],
    })
    expect(toolOf(operation).arguments?.properties).toMatchObject({
      part: { type: 'object', properties: { next: { type: 'object' } } },
    })
  })

  it('a schema that doubles at every step ends at its limit', () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => {
        const next = { $ref: `#/components/schemas/S${index + 1}` }
        return [`S${index}`, { properties: { a: next, b: next } }]
      }),
    )
    const body = jsonBody({ properties: { s: { $ref: '#/components/schemas/S0' } } })
    expect(read(body, { method: 'post', components: { schemas: { ...schemas, S30: {} } } })).toMatchObject({
      unsupported: 'has too deep a schema of its arguments',
    })
  })

  it('patterns that are huge, or that no linear time can match, are left out', () => {
    const patterns = ['a'.repeat(501), '(?=a)b', '(a)\\1', '(((a{1,1000}){1,1000}){1,1000})', '[']
    const parameters = patterns.map((pattern, index) => ({
      name: `p${index}`,
      in: 'query',
      schema: { type: 'string', pattern },
    }))
    const operation = read({ parameters })
    const kept = Object.values(toolOf(operation).arguments?.properties ?? {})
    expect(kept).toEqual(patterns.map(() => ({ type: 'string' })))
    expect(operation).toMatchObject({ notes: [expect.stringContaining('A pattern of its arguments')] })
  })

  it('names of the language’s own are names like others', () => {
    const operation = read(
      jsonBody(JSON.parse('{"properties":{"constructor":{},"toString":{},"__proto__":{"x":1}}}')),
      {
        method: 'post',
      },
    )
    expect(Object.keys(toolOf(operation).arguments?.properties ?? {})).toEqual(['constructor', 'toString'])
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })

  it('of an API in a private network is a tool where the Brand’s tools may reach that', () => {
    const internal = { servers: [{ url: 'https://10.20.0.7/v1' }], paths: { '/orders': { get: {} } } }
    const [refused] = list(internal).operations
    expect(refused).toMatchObject({ unsupported: expect.stringContaining('request.url') })
    const [operation] = list(internal, { allowPrivate: true }).operations
    expect(toolOf(operation as ImportedOperation).request.url).toBe('https://10.20.0.7/v1/orders')
  })

  it('has at most so many operations', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`/a${index}`, { get: {} }]),
    )
    const { operations, more } = list({ paths })
    expect([operations.length, more]).toEqual([MAX_OPERATIONS, 10_000 - MAX_OPERATIONS])
  })
})
