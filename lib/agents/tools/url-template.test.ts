import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseUrlTemplate } from './url-template.ts'

function expand(source: string, values: Record<string, string>): string | undefined {
  const parsed = parseUrlTemplate(source)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.template.expand(new Map(Object.entries(values)))
}

const base = 'https://api.example/orders/{number}/cancel'

describe('a URL template (RFC 6570 level 1)', () => {
  it.each([
    ['A-88213', 'https://api.example/orders/A-88213/cancel'],
    ['a b', 'https://api.example/orders/a%20b/cancel'],
    ["!*'()", 'https://api.example/orders/%21%2A%27%28%29/cancel'],
    ['?x=1#y', 'https://api.example/orders/%3Fx%3D1%23y/cancel'],
    ['%2e%2e', 'https://api.example/orders/%252e%252e/cancel'],
    ['{number}', 'https://api.example/orders/%7Bnumber%7D/cancel'],
    ['$&$1', 'https://api.example/orders/%24%26%241/cancel'],
    ['é', 'https://api.example/orders/%C3%A9/cancel'],
    ['...', 'https://api.example/orders/.../cancel'],
  ])('fills in %j', (number, url) => {
    expect(expand(base, { number })).toBe(url)
  })

  it.each(['', '.', '..', '../..', 'a/b', '/', 'a\\b', './a'])(
    'does not lead to another path through %j',
    (number) => {
      expect(expand(base, { number })).toBeUndefined()
    },
  )

  it('does not build a dot segment of text and variable', () => {
    expect(expand('https://api.example/a/.{x}/b', { x: '.' })).toBeUndefined()
    expect(expand('https://api.example/a/{x}{y}/b', { x: '.', y: 'z' })).toBeUndefined()
    expect(expand('https://api.example/a/{x}', {})).toBeUndefined()
  })

  it('takes anything in the query, where nothing can be climbed', () => {
    const source = 'https://api.example/orders?of={user}&limit=5'
    expect(expand(source, { user: '..&limit=9' })).toBe(
      'https://api.example/orders?of=..%26limit%3D9&limit=5',
    )
    expect(expand(source, { user: 'a/b' })).toBe('https://api.example/orders?of=a%2Fb&limit=5')
    expect(expand(source, {})).toBe('https://api.example/orders?of=&limit=5')
  })

  it('never leaves its place, whatever the value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (number) => {
        const url = expand(base, { number })
        if (url === undefined) return
        const { origin, pathname, search, hash } = new URL(url)
        expect([origin, search, hash]).toEqual(['https://api.example', '', ''])
        expect(pathname.split('/')).toHaveLength(4)
        expect(pathname.startsWith('/orders/') && pathname.endsWith('/cancel')).toBe(true)
        expect(decodeURIComponent(pathname.split('/')[2] ?? '')).toBe(number.toWellFormed())
      }),
      { numRuns: 2_000 },
    )
  })

  it.each([
    ['https://{host}.example/', 'must have its variables in the path or the query'],
    ['https://{user}@api.example/', 'must have its variables in the path or the query'],
    ['https:{host}.example/', 'must have its variables in the path or the query'],
    ['https:/{host}.example/', 'must have its variables in the path or the query'],
    ['https:///{host}.example/', 'must have its variables in the path or the query'],
    ['https:\\\\{host}.example/', 'must have its variables in the path or the query'],
    ['https://\\{host}.example/', 'must have its variables in the path or the query'],
    ['https://api.example:{port}/', 'must have its variables in the path or the query'],
    ['https://api.example/{a}/{a}', 'must name each variable once'],
    ['https://api.example/{+a}', 'must have only variables such as {number} in { }'],
    ['https://api.example/{a', 'must have only variables such as {number} in { }'],
    ['https://api.example/{}', 'must have only variables such as {number} in { }'],
  ])('%s is refused', (source, reason) => {
    expect(parseUrlTemplate(source)).toEqual({ ok: false, reason })
  })
})
