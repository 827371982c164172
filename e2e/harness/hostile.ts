import fc from 'fast-check'

type Path = (string | number)[]

/** Values that break careless readers: other types, empty, huge, and text that databases and renderers choke on. */
const nasty: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    '\ud800',
    'a\udfffb',
    '\u202e',
    '__proto__',
    'constructor',
    '{{ 7 | times: 7 }}',
    '\'; DROP TABLE "Message"; --',
    '<script>alert(1)</script>',
    '../../etc/passwd',
    'x'.repeat(300),
    'A-1'.repeat(12_000),
    [],
    {},
    [[]],
    { text: null },
    { text: 7 },
    { data: { a: 1 } },
    { url: 'https://example.com', mediaType: 'text/plain' },
    { text: 'a', data: {} },
  ),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

function listPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => listPaths(inner, [...at, key]))]
}

function replaceAt(value: unknown, path: Path, replacement: unknown, remove: boolean): unknown {
  const [key, ...rest] = path
  if (key === undefined) return replacement
  if (Array.isArray(value)) {
    return value.map((inner, index) =>
      String(index) === key ? replaceAt(inner, rest, replacement, remove) : inner,
    )
  }
  const entries = Object.entries(value as Record<string, unknown>)
  const kept = remove && rest.length === 0 ? entries.filter(([name]) => name !== key) : entries
  return Object.fromEntries(
    kept.map(([name, inner]) => [name, name === key ? replaceAt(inner, rest, replacement, remove) : inner]),
  )
}

/** A valid JSON document with one to three places replaced or removed. */
export function mutated(document: unknown): fc.Arbitrary<unknown> {
  const change = fc.record({ pick: fc.nat(), replacement: nasty, remove: fc.boolean() })
  return fc.array(change, { minLength: 1, maxLength: 3 }).map((changes) =>
    changes.reduce<unknown>((value, { pick, replacement, remove }) => {
      const paths = listPaths(value)
      return replaceAt(value, paths[pick % paths.length] ?? [], replacement, remove)
    }, document),
  )
}

/** A text with some bytes cut, doubled or replaced. */
export function damaged(text: string): fc.Arbitrary<string> {
  return fc
    .record({
      from: fc.nat(text.length),
      length: fc.nat(8),
      insert: fc.string({ unit: 'binary-ascii', maxLength: 6 }),
    })
    .map(({ from, length, insert }) => text.slice(0, from) + insert + text.slice(from + length))
}

/** A request path made of the product's own words, separators and encodings, and of anything else. */
export function strangePath(brandId: string): fc.Arbitrary<string> {
  const word = fc.constantFrom(
    'a2a',
    brandId,
    brandId.toLowerCase(),
    'message:send',
    'message%3Asend',
    'tasks',
    'tasks/x:cancel',
    '.well-known',
    'agent-card.json',
    'pushNotificationConfigs',
    'oauth',
    'consent',
    '..',
    '.',
    '%2e%2e',
    '%',
    '%00',
    '%E0%A4%A',
    '%2F',
    '__proto__',
    '?pageSize=1&pageSize=x',
    '?pageSize=%',
    '#',
    ';',
    '\\',
  )
  const anything = fc.string({ unit: 'binary-ascii', maxLength: 12 }).map(encodeURIComponent)
  const separator = fc.constantFrom('/', '//', '')
  return fc
    .array(
      fc.tuple(separator, fc.oneof({ weight: 4, arbitrary: word }, { weight: 1, arbitrary: anything })),
      { maxLength: 6 },
    )
    .map((pieces) => `/a2a/${pieces.flat().join('')}`)
}

const reasons: Record<string, [number, string]> = {
  INVALID_PARAMS: [400, 'INVALID_ARGUMENT'],
  CONTENT_TYPE_NOT_SUPPORTED: [400, 'INVALID_ARGUMENT'],
  UNSUPPORTED_OPERATION: [400, 'FAILED_PRECONDITION'],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [400, 'FAILED_PRECONDITION'],
  TASK_NOT_FOUND: [404, 'NOT_FOUND'],
}

/** What an answer is that the specification does not allow; undefined when it is allowed (§2.2, §3.4, §6). */
export function findForbidden(answer: {
  status: number
  headers: Headers
  body: string
}): string | undefined {
  const { status, headers, body } = answer
  const isA2A = headers.get('Content-Type') === 'application/a2a+json'
  if (status === 401) {
    return body === '' && headers.get('WWW-Authenticate') === 'Bearer realm="a2a"' ? undefined : 'another 401'
  }
  if (status === 429)
    return body === '' && Number(headers.get('Retry-After')) >= 1 ? undefined : 'another 429'
  if (status === 204 || status === 304 || status === 405)
    return body === '' ? undefined : `a ${status} with a body`
  if (status === 404 && body === '') return undefined
  if (!isA2A) return `status ${status} with ${headers.get('Content-Type')}`
  if (status === 200) return undefined
  const { error } = JSON.parse(body)
  const [http, name] = reasons[error?.details?.[0]?.reason] ?? []
  return http === status && error.code === status && error.status === name
    ? undefined
    : `status ${status}: ${body}`
}
