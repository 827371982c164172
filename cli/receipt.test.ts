import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { CompactSign, exportJWK, generateKeyPair } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'

const program = join(import.meta.dirname, 'main.ts')
const BRAND_ID = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const JWKS_PATH = `/a2a/${BRAND_ID}/oauth/jwks.json`

let host: DocumentHost
let folder: string
let jws: string
let claims: Record<string, unknown>

beforeAll(async () => {
  host = await startDocumentHost()
  folder = await mkdtemp(join(tmpdir(), 'pact-receipt-'))
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  host.answer(JWKS_PATH, { keys: [{ ...(await exportJWK(publicKey)), kid: 'k-1' }] })
  claims = {
    grantId: 'a2agrant_1',
    user: 'jane-4471',
    pa: 'https://pa.example.com',
    brand: `${host.origin}/a2a/${BRAND_ID}`,
    scopesUsed: ['orders:read'],
    actions: [{ tool: 'list_orders' }, { tool: 'cancel_order', argsHash: 'abc' }],
    ts: '2026-09-30T12:00:00Z',
  }
  jws = await new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
    .setProtectedHeader({ alg: 'ES256', kid: 'k-1', typ: 'pact-receipt+jws' })
    .sign(privateKey)
})
afterAll(async () => {
  await host.close()
  await rm(folder, { recursive: true })
})

async function verify(input: string, args: string[] = [], providerUrl: string = host.origin) {
  const env = { ...process.env, PROVIDER_URL: providerUrl, ALLOW_LOOPBACK: '1' }
  const child = spawn(process.execPath, [program, 'receipt', 'verify', ...args], { env })
  child.stdin.on('error', () => {}).end(input)
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await ended, out, err }
}

describe('pact receipt verify', { timeout: 30_000 }, () => {
  it('says what a valid receipt says, from standard input', async () => {
    const { code, out, err } = await verify(jws, ['-'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatch(/^The receipt is valid\.\n/)
    expect(out).toContain('jane-4471')
    expect(out).toContain('list_orders, cancel_order (abc)')
    expect(out).toContain(`k-1, from ${host.origin}${JWKS_PATH}`)
  })

  it('finds it in a file with a whole answer', async () => {
    const answer = { message: { messageId: 'r', metadata: { 'pact.receipt': { jws, claims } } } }
    const file = join(folder, 'answer.json')
    await writeFile(file, JSON.stringify(answer))
    expect((await verify('', [file])).code).toBe(0)
    expect((await verify(JSON.stringify({ task: answer.message }), ['-'])).code).toBe(0)
  })

  it('takes the keys of whom it is told', async () => {
    host.answer('/no-keys', { keys: [] })
    const { code, err } = await verify(jws, ['-', '--jwks', `${host.origin}/no-keys`])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The receipt is not valid: there is no key k-1 in the JWKS.\n',
    })
  })

  it('lets no receipt of somebody else choose its own keys', async () => {
    const { code, err } = await verify(jws, ['-'], 'https://provider.example')
    expect(code).toBe(1)
    expect(err).toContain('say with --jwks whose keys to use')
    const told = await verify(jws, ['-', '--jwks', `${host.origin}${JWKS_PATH}`], 'https://provider.example')
    expect(told.code).toBe(0)
  })

  it.each([
    ['{"claims":', 'This is neither a compact JWS nor JSON.\n'],
    ['{"message":{}}', 'There is no receipt in this: no "jws", and no "pact.receipt".\n'],
    ['', 'The receipt is not valid: it is not a compact JWS.\n'],
    ['a.b.c', 'The receipt is not valid: its header or its claims are not JSON objects.\n'],
  ])('%j is told in one line', async (input, line) => {
    expect(await verify(input, ['-'])).toEqual({ code: 1, out: '', err: line })
  })

  it('a changed receipt, and keys that can not be had, are told in one line', async () => {
    const other = JSON.stringify({ jws, claims: { ...claims, user: 'tom' } })
    expect((await verify(other, ['-'])).err).toBe(
      'The receipt is not valid: the claims beside the JWS are not those that were signed.\n',
    )
    expect((await verify(jws, ['-', '--jwks', `${host.origin}/none`])).err).toContain("can't be had: status")
    expect((await verify(jws, ['-', '--jwks', 'https://10.0.0.1/'])).err).toContain("can't be had: address")
    expect((await verify('', [join(folder, 'none')])).err).toContain('ENOENT')
  })
})
