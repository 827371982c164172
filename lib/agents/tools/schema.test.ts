import { describe, expect, it } from 'vitest'
import { toolSchema } from './schema.ts'

function faults(change: object, request: object = {}) {
  const parsed = toolSchema({ allowLoopback: false }).safeParse({
    name: 'act',
    description: 'Acts.',
    arguments: { type: 'object', properties: { number: { type: 'string' } } },
    ...change,
    request: { method: 'POST', url: 'https://api.example/orders/{number}', ...request },
  })
  return parsed.success ? [] : parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`)
}

describe('a tool', () => {
  it('names its arguments alone, in its URL and for its query', () => {
    expect(faults({}, { query: ['number'] })).toEqual([])
    expect(faults({}, { url: 'https://api.example/{id}', query: ['note'] })).toEqual([
      "request.url has {id}, which is not one of the properties of the tool's arguments",
      "request.query has note, which is not one of the properties of the tool's arguments",
    ])
    expect(
      faults({ arguments: undefined }, { url: 'https://api.example/', query: ['constructor'] }),
    ).toHaveLength(1)
  })

  it('has a header of its own only where it is for no User', () => {
    const header = { name: 'X-Api-Key', value: 'k' }
    expect(faults({}, { header })).toEqual([])
    expect(faults({ scope: 'orders:act' }, { header })).toEqual([
      'request.header is for tools without a scope: others show the delegation token',
    ])
  })

  it.each(['Host', 'content-length', 'Transfer-Encoding', 'Idempotency-Key', 'Cookie', 'a b', 'a:', '', 'é'])(
    'has no header %j',
    (name) => {
      expect(faults({}, { header: { name } })).toHaveLength(1)
    },
  )

  it.each(['a\nb', ' a', 'é', ''])('has no header with the value %j', (value) => {
    expect(faults({}, { header: { name: 'X-Api-Key', value } }).length).toBeGreaterThan(0)
  })
})
