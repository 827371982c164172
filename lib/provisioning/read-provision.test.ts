import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatFault } from './fault.ts'
import { readProvision } from './read-provision.ts'

const example = readFileSync(join(import.meta.dirname, '../../examples/provision-example.yaml'), 'utf8')

function read(text: string, allowLoopback = true) {
  return readProvision(text, { file: 'provision.yaml', allowLoopback })
}

/** The faults of `text`, as the operator reads them, without the file's name. */
function faultsOf(text: string, allowLoopback = true): string[] {
  const result = read(text, allowLoopback)
  return result.ok ? [] : result.faults.map((fault) => formatFault(fault).replace('provision.yaml:', ''))
}

const brand = (id: string, more = '') => `
  - id: ${id}
    name: A Brand
    description: It sells.
${more}    agent: { driver: scripted, fallback: Hello. }`

describe('a good file', () => {
  it('is read with its defaults: the example, unchanged', () => {
    const result = read(example)
    if (!result.ok) throw new Error(JSON.stringify(result.faults))
    const { provider, personalAgents, brands, console } = result.provision
    expect(provider?.audience).toBe('urn:example:pact-provider')
    expect(personalAgents).toHaveLength(1)
    expect(brands.map(({ name }) => name)).toEqual(['Loom & Thread', 'Northlight Energy'])
    expect(brands[1]).toMatchObject({ conversation: { idleHours: 24 }, agent: { tools: [] } })
    expect(brands[1]?.delegation).toBeUndefined()
    expect(console.users).toHaveLength(1)
  })

  it('may hold only a part, begin with a byte order mark and end its lines as Windows does', () => {
    const result = read('\uFEFFprovider:\r\n  organization: X\r\n  audience: y\r\n')
    expect(result).toMatchObject({ ok: true, provision: { personalAgents: [], brands: [] } })
  })

  it('tells where something stands that turns out wrong later', () => {
    const result = read(example)
    const fault = result.ok ? result.faultAt(['brands', 0, 'domain'], 'is taken') : undefined
    const line = example.split('\n').findIndex((text) => text.includes('domain:')) + 1
    expect(fault).toEqual({
      file: 'provision.yaml',
      line,
      column: 13,
      field: 'brands[0].domain',
      reason: 'is taken',
    })
  })
})

describe('a rule of an agent', () => {
  const agent = (rules: string, fallback = 'Hello.') =>
    faultsOf(`brands:
  - id: 01M8KZK7WH6GG1FZW899RDXDQ4
    name: A Brand
    description: It sells.
    agent:
      driver: scripted
      fallback: ${fallback}
      rules:
${rules}`)

  it('has no empty condition, but for the last: it would hide every later rule', () => {
    const always = '        - { when: {}, reply: Hi. }\n'
    expect(agent(always + always)).toEqual([
      '9:19 brands[0].agent.rules[0].when: without a condition it hides every later rule: only the last rule may be so',
    ])
    expect(agent(always)).toEqual([])
  })

  it('has a reply that is not blank', () => {
    expect(agent('        - { when: {}, reply: " " }\n')).toEqual([
      '9:30 brands[0].agent.rules[0].reply: must not be blank',
    ])
  })
})

describe('a fault has its line, column, field and reason', () => {
  it.each([
    ['provider:\n  organization: X\n', '1:1 provider.audience: is required'],
    [
      'provider:\n  organization: X\n  audience: y\n  limts: {}\n',
      '4:3 provider.limts: unknown key `limts`; did you mean `limits`?',
    ],
    ['what: 1\n', '1:1 what: unknown key `what`; known here: provider, personalAgents, brands, console'],
    [
      'provider:\n  organization: X\n  audience: y\n  trust: maybe\n',
      '4:10 provider.trust: must be allowlist or open',
    ],
    ['provider:\n  organization:\n  audience: y\n', '2:3 provider.organization: must be text; it is empty'],
    ['provider:\n', '1:1 provider: must be a map of keys and values; it is empty'],
    ['brands:\n  a: 1\n', '1:1 brands: must be a list; it is a map'],
    ['brands: 3\n', '1:9 brands: must be a list; it is a number'],
    ['- a\n', '1:1 must be a map of keys and values; it is a list'],
    [
      'personalAgents:\n  - name: A\n    issuer: https://a.example\n',
      '2:5 personalAgents[0].jwksUri: is required',
    ],
    [
      'personalAgents:\n  - { name: A, issuer: "http://a.example", jwksUri: "https://a.example" }\n',
      '2:24 personalAgents[0].issuer: must start with https://',
    ],
    [`brands:${brand('abc')}`, '2:9 brands[0].id: must be a ULID in upper case'],
    [
      'console:\n  users:\n    - { email: a@example.com, roles: [{ provider: boss }] }\n',
      '3:51 console.users[0].roles[0].provider: must be admin or auditor',
    ],
    [
      'console:\n  users:\n    - { email: a@example.com, roles: [] }\n',
      '3:38 console.users[0].roles: must have at least 1 entry',
    ],
    [
      'console:\n  users:\n    - { email: a, roles: [{ provider: admin }] }\n',
      '3:16 console.users[0].email: must be an e-mail address',
    ],
  ])('%j', (text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })

  it('also where an alias brings it in: at the anchor', () => {
    const text = 'x-a: &a { name: "" }\npersonalAgents: [*a]\n'
    expect(faultsOf(text)).toContain('1:17 personalAgents[0].name: must not be blank')
  })

  it.each([
    [
      'a value deep in a JSON Schema',
      example.replace('type: object', 'type: object\n            x: [1, .nan]'),
      '60:20 brands[0].agent.tools[1].arguments.x[1]: must be text, a number, true or false, null, a list or a map of keys and values',
    ],
    [
      'an argument of a call',
      example.replace('{ number: "{{ match.number }}" }', '{ number: [] }'),
      '67:58 brands[0].agent.rules[0].call[1].arguments.number: must be text, a number, true or false or null',
    ],
    [
      'an agent without a driver',
      example.replace('      driver: scripted\n', ''),
      '46:5 brands[0].agent.driver: is required: scripted, llm or webhook',
    ],
    [
      'a driver that there is not',
      example.replace('driver: scripted', 'driver: psychic'),
      '47:15 brands[0].agent.driver: must be scripted, llm or webhook',
    ],
  ])('also of %s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([fault])
  })

  it('refuses this machine unless that is allowed', () => {
    const faults = faultsOf(example, false)
    expect(faults).toHaveLength(8)
    expect(faults[0]).toBe(
      '13:13 personalAgents[0].issuer: must not point to this machine (set ALLOW_LOOPBACK=1 to allow it)',
    )
  })
})

const AN_ID = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const OTHER_ID = '01KAA0B5V7N2E6Y4D8GH5RPKQF'

describe('what belongs together', () => {
  it('all faults are reported at once, from top to bottom', () => {
    const text = [
      'personalAgents:',
      '  - { name: A, issuer: "https://a.example", jwksUri: nowhere }',
      '  - { name: B, issuer: "https://a.example", jwksUri: "https://a.example", colour: red }',
      `brands:${brand(AN_ID, '    domain: a.example\n')}${brand(AN_ID, '    domain: A.example\n')}`,
    ].join('\n')
    expect(faultsOf(text)).toEqual([
      '2:54 personalAgents[0].jwksUri: must be an absolute URL, such as https://example.com/path',
      '3:24 personalAgents[1].issuer: https://a.example is given twice: see personalAgents[0].issuer',
      '3:75 personalAgents[1].colour: unknown key `colour`; known here: name, issuer, jwksUri, enabled, limits, origin',
      `10:9 brands[1].id: ${AN_ID} is given twice: see brands[0].id`,
      '13:13 brands[1].domain: a.example is given twice: see brands[0].domain',
    ])
  })

  it('skills, scopes, tools, e-mail addresses and roles are given once', () => {
    const text = `
brands:
  - id: ${AN_ID}
    name: A Brand
    description: It sells.
    skills: [{ id: s, name: S, description: S }, { id: s, name: S, description: S }]
    delegation:
      login: { url: "https://a.example/login", issuer: "https://a.example", jwksUri: "https://a.example/keys" }
      scopes: [{ id: r, description: Read }, { id: r, description: Read }]
    agent:
      driver: scripted
      tools:
        - { name: t, description: T, request: { method: GET, url: "https://a.example" } }
        - { name: t, description: T, request: { method: GET, url: "https://a.example" } }
      fallback: Hello.
console:
  users:
    - { email: a@example.com, roles: [{ brand: ${AN_ID}, role: viewer }, { brand: ${AN_ID}, role: manager }] }
    - { email: A@example.com, roles: [{ provider: admin }, { provider: auditor }] }
`
    expect(faultsOf(text).map((fault) => fault.replace(/^\d+:\d+ /, ''))).toEqual([
      'brands[0].skills[1].id: s is given twice: see brands[0].skills[0].id',
      'brands[0].delegation.scopes[1].id: r is given twice: see brands[0].delegation.scopes[0].id',
      'brands[0].agent.tools[1].name: t is given twice: see brands[0].agent.tools[0].name',
      `console.users[0].roles[1].brand: ${AN_ID} is given twice: see console.users[0].roles[0].brand`,
      'console.users[1].email: a@example.com is given twice: see console.users[0].email',
      'console.users[1].roles[1].provider: a user has one role at the Provider',
    ])
  })

  it('a scope, a tool and a Brand that is referred to exists', () => {
    const dangling = example
      .replace('scope: "orders:read"', 'scope: "orders:all"')
      .replace('{ tool: cancel_order,', '{ tool: cancel,')
      .replace(`brand: ${AN_ID}`, 'brand: 01KAA0B5V7S8Q0ZJ1M9T3X4WCS')
    expect(faultsOf(dangling).map((fault) => fault.replace(/^\d+:\d+ /, ''))).toEqual([
      "brands[0].agent.tools[0].scope: orders:all is not one of the Brand's scopes",
      "brands[0].agent.rules[0].call[1].tool: cancel is not one of the Brand's tools",
      'console.users[0].roles[0].brand: Brand 01KAA0B5V7S8Q0ZJ1M9T3X4WCS is not in this file',
    ])
  })

  it('a call has the arguments that its tool takes', () => {
    const wrong = example
      .replace(
        '{ tool: list_orders, as: orders }',
        '{ tool: list_orders, arguments: { page: 1 }, as: orders }',
      )
      .replace('arguments: { number: "{{ match.number }}" }', 'arguments: { nummer: "{{ match.number }}" }')
    expect(faultsOf(wrong).map((fault) => fault.replace(/^\d+:\d+ /, ''))).toEqual([
      'brands[0].agent.rules[0].call[0].arguments.page: page is not one of the arguments of the tool list_orders',
      'brands[0].agent.rules[0].call[1]: the tool cancel_order needs the argument number',
      'brands[0].agent.rules[0].call[1].arguments.nummer: nummer is not one of the arguments of the tool cancel_order',
    ])
  })

  it('a tool has a JSON Schema, and a URL with no variables but its arguments', () => {
    const wrong = example.replace(
      'type: object\n            properties',
      'type: list\n            properties',
    )
    expect(faultsOf(wrong).map((fault) => fault.replace(/^\d+:\d+ /, ''))).toEqual([
      'brands[0].agent.tools[1].arguments: must be a JSON Schema of type "object"',
    ])
    const url = example.replace('orders/{number}/cancel', 'orders/{id}/cancel')
    expect(faultsOf(url).map((fault) => fault.replace(/^\d+:\d+ /, ''))).toEqual([
      "brands[0].agent.tools[1].request.url: has {id}, which is not one of the properties of the tool's arguments",
    ])
  })

  it('two Brands may have skills of the same id, and no domain', () => {
    const skill = '    skills: [{ id: s, name: S, description: S }]\n'
    expect(faultsOf(`brands:${brand(AN_ID, skill)}${brand(OTHER_ID, skill)}`)).toEqual([])
  })
})

describe('what is not a provision file', () => {
  const bomb = [
    'a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1]',
    ...['b', 'c', 'd', 'e'].map(
      (key, index) => `${key}: &${key} [${Array(9).fill(`*${'abcd'[index]}`).join(', ')}]`,
    ),
  ].join('\n')

  it.each([
    ['', '1:1 the file is empty'],
    ['# nothing\n', '1:1 the file is empty'],
    ['null\n', '1:1 the file is empty'],
    ['a: 1\nb: [1\n', '3:1 Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['a: 1\na: 2\n', '2:1 a: is given twice'],
    ['provider:\n  audience: x\n  audience: y\n', '3:3 provider.audience: is given twice'],
    ['\ta: 1\n', '1:1 tabs can not indent: use spaces'],
    ['a: 1\n---\nb: 2\n', '2:1 a second document begins here: a provision file has one'],
    ['a: *b\n', '1:4 a: alias *b stands before its anchor, or has none'],
    ['a: &a [*a]\n', '1:8 a[0]: alias *a contains itself'],
    ['? [a]\n: 1\n', '1:3 a key must be text'],
    ['a: !secret 1\n', '1:4 Unresolved tag: !secret'],
    ['__proto__: { a: 1 }\n', '1:1 __proto__: is not a usable name'],
    ['a: "x\\0"\n', '1:4 a: must be well-formed text without U+0000'],
    ['a: "\\ud800"\n', '1:4 a: must be well-formed text without U+0000'],
    [bomb, '1:1 aliases multiply its content too far'],
    ['['.repeat(50_000), '1:806 is nested too deeply'],
  ])('%.40j', (text, fault) => {
    const [first = ''] = faultsOf(text)
    // How deep is too deep depends on the machine's stack.
    expect(first.replace(/^1:\d+ is nested/, '1:806 is nested')).toBe(fault)
  })

  it('never throws, and always says where, whatever stands in it', () => {
    const lines = example.split('\n')
    const mutation = fc.record({
      line: fc.nat({ max: lines.length - 1 }),
      text: fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.constantFrom(
          '',
          '- ',
          '  x: 1',
          '\t',
          '&a *a',
          '? {',
          '<<: *x',
          '"',
          "'",
          '|',
          '%',
          '...',
          '---',
          '[]',
          '{}',
          '~',
        ),
      ),
      replace: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const mutated = [...lines]
        for (const { line, text, replace } of mutations) mutated.splice(line, replace ? 1 : 0, text)
        const result = read(mutated.join('\n'))
        if (result.ok) return
        expect(result.faults.length).toBeGreaterThan(0)
        for (const { line, column, reason } of result.faults) {
          expect(line).toBeGreaterThanOrEqual(1)
          expect(column).toBeGreaterThanOrEqual(1)
          expect(reason).not.toMatch(/undefined|\[object|Invalid input/)
        }
      }),
      { numRuns: 300 },
    )
  })
})
