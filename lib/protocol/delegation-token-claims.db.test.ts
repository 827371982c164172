import { CompactSign, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BRAND_USER, type DelegatedSender, startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { signPaToken } from '#e2e/harness/wire.ts'
import { authorizationServer, interfaceUrl } from '#lib/brands/addresses.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { getSigner } from '#lib/keys/signer.ts'
import { handle } from './handle.ts'

let sender: DelegatedSender
let subject: string
let grantId: string
let signer: Awaited<ReturnType<typeof getSigner>>

beforeAll(async () => {
  sender = await startDelegatedSender()
  const allowed = await sender.allow('orders:read')
  subject = allowed.subject
  grantId = allowed.grantId
  signer = await getSigner(BRAND_ID)
})
afterAll(() => sender.close())

type Claims = Record<string, unknown>

function rightClaims(): Claims {
  const iat = Math.floor(Date.now() / 1000)
  return {
    iss: authorizationServer(BRAND_ID).issuer,
    aud: interfaceUrl(BRAND_ID),
    sub: BRAND_USER,
    client_id: sender.agent.issuer,
    scope: 'orders:read',
    grant_id: grantId,
    jti: 'j-1',
    iat,
    exp: iat + 600,
  }
}

/** Signs what no provider would, with the Brand's own key unless another is given. `null` leaves a header out. */
async function forge(
  claims: Claims = {},
  header: Claims = {},
  key: CryptoKey = signer.privateKey,
): Promise<string> {
  const all: Claims = { alg: 'ES256', kid: signer.kid, typ: 'at+jwt', ...header }
  const present = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
  return new CompactSign(new TextEncoder().encode(JSON.stringify({ ...rightClaims(), ...claims })))
    .setProtectedHeader(present as { alg: string })
    .sign(key)
}

async function statusOf(token: string): Promise<[number, string | null, string]> {
  const { status, headers, content } = await sender.send('hello', { subject, token })
  return [status, headers.get('WWW-Authenticate'), status === 401 ? content : '']
}

const badToken = [401, 'Bearer realm="a2a", error="invalid_token"', '']

it('the token that the table starts from is right', async () => {
  expect(await statusOf(await forge())).toEqual([200, null, ''])
  expect(await statusOf(await forge({ extra: [1] }, { typ: 'application/AT+JWT' }))).toEqual([200, null, ''])
})

const strangers: Record<string, unknown[]> = {
  iss: ['', 'https://elsewhere.example', interfaceUrl(BRAND_ID), authorizationServer(OTHER_BRAND_ID).issuer],
  aud: ['', `${interfaceUrl(BRAND_ID)}/`, interfaceUrl(OTHER_BRAND_ID), [interfaceUrl(BRAND_ID)]],
  sub: ['', 'tom', 'jane-4471\0'],
  client_id: ['', 'https://other-pa.example'],
  grant_id: ['', 'a2agrant_other', '\ud800'],
  scope: [['orders:read']],
  jti: [''],
  iat: ['now', Math.floor(Date.now() / 1000) + 120],
  exp: ['later', 0, Math.floor(Date.now() / 1000) - 31],
}

describe('§5.4 each claim of a delegation token', () => {
  const wrong = Object.entries(strangers).flatMap(([name, values]) =>
    [undefined, null, true, {}, ...values].map((value) => [name, value] as const),
  )
  it.each(wrong)('%s that is %j makes it a bad token', async (name, value) => {
    expect(await statusOf(await forge({ [name]: value }))).toEqual(badToken)
  })

  it.each(['iss', 'aud', 'sub', 'client_id', 'scope', 'grant_id'])(
    '%s that is a number too',
    async (name) => {
      expect(await statusOf(await forge({ [name]: 7 }))).toEqual(badToken)
    },
  )

  it('a scope that the grant does not have gives nothing', async () => {
    const token = await forge({ scope: 'orders:read orders:cancel nonsense' })
    const { body } = await sender.send('cancel A-1', { subject, token })
    expect(body.task.metadata['pact.missingScopes']).toEqual(['orders:cancel'])
  })
})

describe('§5.4 the header and the signature of a delegation token', () => {
  it.each([
    { typ: null },
    { typ: 'JWT' },
    { typ: 'JOSE' },
    { typ: 'pact-receipt+jws' },
    { typ: 7 },
    { kid: null },
    { kid: 7 },
    { kid: 'unknown' },
    { kid: '' },
    { kid: '\0' },
  ])('%j makes it a bad token', async (header) => {
    expect(await statusOf(await forge({}, header))).toEqual(badToken)
  })

  it('so does a critical header', async () => {
    const token = await forge({}, { crit: ['b64'], b64: true })
    expect(await statusOf(token)).toEqual(badToken)
  })

  it('so does another key under the right kid', async () => {
    const { privateKey } = await generateKeyPair('ES256')
    expect(await statusOf(await forge({}, {}, privateKey))).toEqual(badToken)
  })

  it('so does the key of another Brand, whatever the claims say', async () => {
    const other = await getSigner(OTHER_BRAND_ID)
    expect(await statusOf(await forge({}, { kid: other.kid }, other.privateKey))).toEqual(badToken)
    const theirs = { iss: authorizationServer(OTHER_BRAND_ID).issuer, aud: interfaceUrl(OTHER_BRAND_ID) }
    expect(await statusOf(await forge(theirs, { kid: other.kid }, other.privateKey))).toEqual(badToken)
  })

  it.each(['none', 'HS256', 'RS256', 'ES384', 'es256', 7, null])('so does alg %j', async (alg) => {
    const [, payload, signature] = (await forge()).split('.')
    const header = JSON.stringify({ alg, kid: signer.kid, typ: 'at+jwt' })
    const swapped = `${Buffer.from(header).toString('base64url')}.${payload}.${signature}`
    expect(await statusOf(swapped)).toEqual(badToken)
  })

  it('so does HS256 with the public key as the secret', async () => {
    const [{ x = '', y = '' } = {}] = (await publishedJwks(BRAND_ID)).keys
    for (const secret of [Buffer.from(x + y, 'base64url'), Buffer.from(JSON.stringify({ x, y }))]) {
      const token = await new SignJWT(rightClaims())
        .setProtectedHeader({ alg: 'HS256', kid: signer.kid, typ: 'at+jwt' })
        .sign(Buffer.concat([secret, Buffer.alloc(32)]))
      expect(await statusOf(token)).toEqual(badToken)
    }
  })

  it('so does a changed character anywhere', async () => {
    const token = await forge()
    for (const at of [3, token.indexOf('.') + 5, token.lastIndexOf('.') + 5]) {
      const other = token[at] === 'A' ? 'B' : 'A'
      expect(await statusOf(token.slice(0, at) + other + token.slice(at + 1))).toEqual(badToken)
    }
  })
})

describe('no other kind of token is one', () => {
  it('not the personal-agent JWT', async () => {
    expect(await statusOf(await signPaToken(sender.agent, { sub: subject }))).toEqual(badToken)
  })

  it('not a receipt', async () => {
    const { body } = await sender.send('hello', { subject, token: await forge() })
    expect(await statusOf(body.message.metadata['pact.receipt'].jws)).toEqual(badToken)
  })

  it('and a delegation token is no personal-agent JWT', async () => {
    const headers = { Authorization: `Bearer ${await forge()}` }
    const { status, headers: answered } = await handle(
      new Request(`${interfaceUrl(BRAND_ID)}/tasks`, { headers }),
    )
    expect([status, answered.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="a2a"'])
  })
})
