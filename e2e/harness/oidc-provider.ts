import { createHash, randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { startDocumentHost } from './document-host.ts'

/** An OpenID Connect provider on loopback, for one client. Whoever comes is whom the test says, at once. */
export type TestOidcProvider = {
  issuer: string
  clientId: string
  clientSecret: string
  /** The claims of whoever signs in next. */
  claims: Record<string, unknown>
  close(): Promise<void>
}

type Code = { challenge: string; nonce: string; redirectUri: string }

async function readForm(request: AsyncIterable<Buffer | string>): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}

/** Starts it: discovery, authorization with PKCE (S256), token, JWKS. */
export async function startOidcProvider(): Promise<TestOidcProvider> {
  const host = await startDocumentHost()
  const issuer = host.origin
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const codes = new Map<string, Code>()
  const provider: TestOidcProvider = {
    issuer,
    clientId: 'console',
    clientSecret: 'a client secret',
    claims: {},
    close: () => host.close(),
  }

  host.answer('/.well-known/openid-configuration', {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  })
  host.answer('/jwks', { keys: [{ ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' }] })
  host.answer('/authorize', (request, response) => {
    const query = new URL(request.url ?? '', issuer).searchParams
    const of = (name: string) => query.get(name) ?? ''
    const code = randomUUID()
    codes.set(code, {
      challenge: of('code_challenge'),
      nonce: of('nonce'),
      redirectUri: of('redirect_uri'),
    })
    const target = new URL(of('redirect_uri'))
    target.searchParams.set('code', code)
    target.searchParams.set('state', of('state'))
    response.writeHead(302, { Location: target.href }).end()
  })
  host.answer('/token', async (request, response) => {
    const form = await readForm(request)
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!code || code.challenge !== challenge || form.get('redirect_uri') !== code.redirectUri) {
      response.writeHead(400, { 'Content-Type': 'application/json' }).end('{"error":"invalid_grant"}')
      return
    }
    const id_token = await new SignJWT({ ...provider.claims, nonce: code.nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'k' })
      .setIssuer(issuer)
      .setAudience(provider.clientId)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ access_token: randomUUID(), token_type: 'Bearer', id_token }))
  })
  return provider
}
