import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReceiptVerifier, type VerifyReceipt } from './receipt.ts'

const claims = {
  grantId: 'g-1',
  user: 'jane',
  pa: 'https://pa.example',
  brand: 'https://p.example/a2a/1',
  scopesUsed: ['orders:read'],
  actions: [{ tool: 'list_orders' }],
  ts: '2026-09-30T12:00:00Z',
}

let server: Server
let key: CryptoKey
let verify: VerifyReceipt

beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  key = pair.privateKey
  const jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1' }
  server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify({ keys: [jwk] }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`
  verify = createReceiptVerifier(url, { pa: claims.pa, brand: claims.brand })
})

afterAll(() => {
  server.close()
})

function sign(payload: unknown, using = key): Promise<string> {
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .sign(using)
}

describe('receipts (§5.6), as the demo personal agent takes them', () => {
  it('takes one that the Brand signed', async () => {
    expect(await verify({ jws: await sign(claims), claims })).toEqual(claims)
  })

  it('takes none that somebody else signed', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    await expect(verify({ jws: await sign(claims, privateKey), claims })).rejects.toThrow('its signature')
    await expect(verify({ jws: 'nonsense', claims })).rejects.toThrow('its signature')
  })

  it('takes none whose claims are not the signed ones', async () => {
    const other = { ...claims, actions: [] }
    await expect(verify({ jws: await sign(claims), claims: other })).rejects.toThrow('not the signed ones')
  })

  it.each([
    ['another personal agent', { pa: 'https://other.example' }],
    ['another Brand', { brand: 'https://p.example/a2a/2' }],
  ])('takes none about %s', async (words, change) => {
    const other = { ...claims, ...change }
    await expect(verify({ jws: await sign(other), claims: other })).rejects.toThrow(words)
  })
})
