import { randomUUID } from 'node:crypto'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { serveOnLoopback } from './played-server.ts'

/** A personal agent that a test plays: who it says it is, and the key it signs with. */
export type TestPersonalAgent = { name: string; issuer: string; jwksUri: string; privateJwk: JWK }

/**
 * Plays personal agents: one loopback server publishes the JWKS of each, as their own hosts would.
 *
 * @returns the agents in the order of `names`
 */
export async function playPersonalAgents(names: readonly string[]): Promise<{
  agents: TestPersonalAgent[]
  /** Publishes a new key beside those that the agent has. @returns the agent as it signs with the new one */
  publishNewKey(agent: TestPersonalAgent): Promise<TestPersonalAgent>
  close(): Promise<void>
}> {
  const published = new Map<string, unknown>()
  const keysOf = new Map<string, JWK[]>()
  const publishKey = async (name: string, kid: string): Promise<JWK> => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const keys = [
      ...(keysOf.get(name) ?? []),
      { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    ]
    keysOf.set(name, keys)
    published.set(`/${name}/jwks.json`, { keys })
    return { ...(await exportJWK(privateKey)), kid, alg: 'ES256' }
  }
  const { origin, close } = await serveOnLoopback((request, response) => {
    const document = published.get(request.url ?? '')
    response.writeHead(document ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(document ? JSON.stringify(document) : undefined)
  })
  const agents = await Promise.all(
    names.map(async (name) => {
      const issuer = `${origin}/${name}`
      const jwksUri = `${issuer}/jwks.json`
      published.set(`/${name}/.well-known/openid-configuration`, { issuer, jwks_uri: jwksUri })
      return { name, issuer, jwksUri, privateJwk: await publishKey(name, `${name}-key`) }
    }),
  )
  return {
    agents,
    async publishNewKey(agent) {
      const kid = `${agent.name}-key-${randomUUID()}`
      return { ...agent, privateJwk: await publishKey(agent.name, kid) }
    },
    close,
  }
}
