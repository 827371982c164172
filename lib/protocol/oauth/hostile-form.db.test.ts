import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEVICE_CODE, FORM, type OAuthCalls, openOAuthCalls } from '#e2e/harness/oauth-calls.ts'

let calls: OAuthCalls

beforeAll(async () => {
  calls = await openOAuthCalls()
})
afterAll(() => calls.close())

const endpoints = ['device_authorization', 'token', 'revoke']

describe('RFC 6749 §5.2, whatever form comes', () => {
  const name = fc.constantFrom(
    'client_id',
    'grant_type',
    'device_code',
    'refresh_token',
    'scope',
    'token',
    'x',
  )
  const value = fc.oneof(
    fc.constantFrom(DEVICE_CODE, 'refresh_token', 'orders:read', 'dc_x', 'rt_x', ''),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constant(undefined).map(() => calls.agent.issuer),
  )
  const form = fc
    .array(fc.tuple(name, value), { maxLength: 6 })
    .map((fields) =>
      fields.map((field) => field.map((text) => encodeURIComponent(text.toWellFormed())).join('=')).join('&'),
    )
  const errors = [
    'invalid_request',
    'invalid_client',
    'invalid_grant',
    'invalid_scope',
    'unsupported_grant_type',
    'authorization_pending',
  ]

  async function expectShaped(path: string, body: string | Uint8Array<ArrayBuffer>, type = FORM) {
    const answer = await calls.post(path, body, { headers: { 'Content-Type': type } })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    if (answer.status === 200) return
    expect([answer.status, errors.includes(answer.body.error)]).toEqual([
      answer.body.error === 'invalid_client' ? 401 : 400,
      true,
    ])
    expect(answer.body.error_description ?? '').toMatch(/^[\x20-\x21\x23-\x5B\x5D-\x7E]*$/)
  }

  it('of any fields', () =>
    fc.assert(
      fc.asyncProperty(fc.constantFrom(...endpoints), form, (path, body) => expectShaped(path, body)),
      { numRuns: 500 },
    ))

  it('of any bytes, of any type', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...endpoints),
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom(FORM, `${FORM}; charset=UTF-8`, 'text/plain', 'application/json', `${FORM}x`),
        (path, bytes, type) => expectShaped(path, Uint8Array.from(bytes), type),
      ),
      { numRuns: 300 },
    ))
})
