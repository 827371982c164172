import { describe, expect, it } from 'vitest'
import {
  beginPick,
  findMissingScopes,
  findUnchosen,
  listArguments,
  pickAll,
  toTools,
  type Usable,
} from './picks.ts'

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

describe('a document', () => {
  const read = operation('GET', ['orders:read'])
  const pay = { ...operation('POST', ['orders:pay', 'orders:read']), tool: { ...read.tool, name: 'pay' } }
  const unusable = {
    ...{ method: 'TRACE', path: '/', summary: '', deprecated: false, scopes: ['trace'], notes: [] },
    unsupported: 'is no call',
  } as never

  it('is picked as a whole, but for what can be no tool and what was decided before', () => {
    const before = { pay: { scope: '', changes: false, user: 'customer' } }
    const picks = pickAll([read, pay, unusable], before, ['orders:read'])
    expect(Object.keys(picks)).toEqual(['orders', 'pay'])
    expect(picks.orders?.scope).toBe('orders:read')
    expect(picks.pay).toEqual(before.pay)
  })

  it('says which scopes the Brand lacks, each once', () => {
    expect(findMissingScopes([read, pay, pay], ['orders:read'])).toEqual(['orders:pay'])
  })
})
