import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'

/** A personal agent that a test plays: who it says it is, and the key it signs with. */
export type TestPersonalAgent = { name: string; issuer: string; jwksUri: string; privateJwk: JWK }

/**
 * Plays personal agents: one loopback server publishes the JWKS of each, as their own hosts would.
 *
 * @returns the agents in the order of `names`
 */
export async function playPersonalAgents(
  names: readonly string[],
): Promise<{ agents: TestPersonalAgent[]; close(): Promise<void> }> {
  const published = new Map<string, unknown>()
  const server = createServer((request, response) => {
    const document = published.get(request.url ?? '')
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(document ? JSON.stringify(document) : undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const agents = await Promise.all(
    names.map(async (name) => {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
      const kid = `${name}-key`
      const issuer = `${origin}/${name}`
      const jwksUri = `${issuer}/jwks.json`
      published.set(`/${name}/jwks.json`, {
        keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }],
      })
      published.set(`/${name}/.well-known/openid-configuration`, { issuer, jwks_uri: jwksUri })
      return { name, issuer, jwksUri, privateJwk: { ...(await exportJWK(privateKey)), kid, alg: 'ES256' } }
    }),
  )
  return {
    agents,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
