import { describe, expect, it } from 'vitest'
import { beginPick, findUnchosen, listArguments, toTools, type Usable } from './picks.ts'

function operation(method: 'GET' | 'POST', scopes: string[]): Usable {
  return {
    method,
    path: '/orders',
    summary: '',
    deprecated: false,
    scopes,
    notes: [],
    tool: {
      name: 'orders',
      description: 'Orders.',
      changes: method !== 'GET',
      arguments: { type: 'object', properties: { customer: { type: 'string' } } },
      request: { method, url: 'https://api.example/orders' },
    },
  }
}

describe('an operation that is picked', () => {
  it.each([
    ['GET', ['orders:read'], 'orders:read'],
    ['POST', ['admin', 'orders:read'], 'orders:read'],
    ['GET', [], ''],
    ['GET', ['admin'], undefined],
    ['POST', ['admin'], undefined],
    ['POST', [], undefined],
  ] as const)('%s asking for %j begins with the scope %j', (method, scopes, scope) => {
    expect(beginPick(operation(method, [...scopes]), ['orders:read']).scope).toBe(scope)
  })

  it('is told of until its scope is chosen, also where that is none', () => {
    const pick = beginPick(operation('POST', []), [])
    expect(findUnchosen({ orders: pick })).toEqual(['orders'])
    expect(findUnchosen({ orders: { ...pick, scope: '' } })).toEqual([])
  })

  it('has its User only together with a scope', () => {
    const found = operation('POST', [])
    const pick = { ...beginPick(found, []), user: 'customer' }
    expect(listArguments(found)).toEqual(['customer'])
    const [open] = toTools([found], { orders: { ...pick, scope: '' } })
    expect(open).toEqual(found.tool)
    const [scoped] = toTools([found], { orders: { ...pick, scope: 'orders:write' } })
    expect(scoped).toMatchObject({ scope: 'orders:write', userArgument: 'customer', changes: true })
  })
})
