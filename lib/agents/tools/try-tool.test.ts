import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { toolSchema } from './schema.ts'
import { tryTool } from './try-tool.ts'

let api: TestBrandApi

beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.calls.length = 0
})

const tool = (change: object = {}, request: object = {}) =>
  toolSchema({ allowLoopback: true }).parse({
    name: 'cancel',
    description: 'Cancels.',
    scope: 'orders:cancel',
    userArgument: 'customer',
    arguments: { type: 'object', properties: { number: { type: 'string' }, customer: { type: 'string' } } },
    ...change,
    request: { method: 'POST', url: `${api.origin}/orders/{number}`, ...request },
  })

// `sub` is jane.
const token = `e30.${Buffer.from('{"sub":"jane"}').toString('base64url')}.c2ln`
const trial = { brandId: 'B', allowPrivate: false, token, send: false }

describe('trying a tool', () => {
  it('shows the request, without what proves somebody, and sends nothing', async () => {
    const tried = await tryTool(tool(), { number: 'A 1', customer: 'somebody else' }, trial)
    expect(tried).toMatchObject({
      request: {
        method: 'POST',
        url: `${api.origin}/orders/A%201`,
        body: { customer: 'jane' },
        headers: { authorization: 'Bearer …' },
      },
      answer: undefined,
    })
    expect(JSON.stringify(tried)).not.toContain(token)
    expect(api.calls).toEqual([])
  })

  it('sends it where that is asked, and tells what was answered', async () => {
    api.answerWith(() => ({ status: 409, json: { error: 'shipped' } }))
    const tried = await tryTool(tool(), { number: 'A-1' }, { ...trial, send: true })
    expect(tried).toMatchObject({
      answer: { called: { ok: true, status: 409, value: { error: 'shipped' } } },
    })
    expect(api.calls).toMatchObject([{ headers: { authorization: `Bearer ${token}` } }])
  })

  it('says why it can’t be called so', async () => {
    expect(await tryTool(tool(), { number: '..' }, trial)).toEqual({
      request: undefined,
      fault: 'an argument would lead to another URL',
    })
    expect(await tryTool(tool(), { number: 5, more: [] }, { ...trial, token: 'nonsense' })).toMatchObject({
      request: { body: { more: [], customer: '' } },
    })
  })

  it('shows somebody made up where no token says who the User is, and never sends that', async () => {
    const without = { ...trial, token: undefined }
    const given = { number: 'A-1', customer: 'somebody else' }
    expect(await tryTool(tool(), given, without)).toMatchObject({
      request: { body: { customer: 'a-user' }, headers: { authorization: 'Bearer …' } },
      madeUpUser: true,
    })
    expect(await tryTool(tool(), given, trial)).toMatchObject({ madeUpUser: false })
    expect(await tryTool(tool(), given, { ...without, send: true })).toEqual({
      request: undefined,
      fault: 'who the User is, a delegation token alone says, and none is given',
    })
    expect(api.calls).toEqual([])
  })

  it('shows the name of its header alone', async () => {
    const header = { header: { name: 'X-Api-Key' } }
    const open = tool({ scope: undefined, userArgument: undefined }, header)
    const tried = await tryTool(open, { number: 'A-1' }, { ...trial, token: undefined })
    expect(tried.request?.headers).toMatchObject({ 'X-Api-Key': '…' })
    expect(tried.request?.headers.authorization).toBeUndefined()
  })
})
