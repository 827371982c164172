import { createHash } from 'node:crypto'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { findBrand } from '#lib/brands/registry.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { config } from '#lib/platform/config.ts'
import { A2A_JSON, emptyResponse, notFound } from './answers.ts'

/** Anyone may read a card from a page of another origin. */
const crossOrigin = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'ETag' }

/** The version of the agents that this product runs, as A2A 1.0 wants one on the card. */
const AGENT_VERSION = '1.0.0'

/** A Brand's Agent Card (§2.1). */
export function buildAgentCard(brand: Brand, organization: string) {
  return {
    name: brand.name,
    description: brand.description,
    supportedInterfaces: [
      { url: interfaceUrl(brand.id), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { organization, url: config().providerUrl },
    version: AGENT_VERSION,
    capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
    securitySchemes: { paJwt: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } } },
    securityRequirements: [{ schemes: { paJwt: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: brand.skills,
  }
}

/** RFC 9110 §13.1.2: `If-None-Match` compares weakly. */
function matchesETag(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag)
}

/** `GET …/.well-known/agent-card.json` (§2.1): open to everyone, cacheable for five minutes. */
export async function serveAgentCard(request: Request, brandId: string): Promise<Response> {
  const [brand, provider] = await Promise.all([findBrand(brandId), findProvider()])
  if (!brand || !provider) return notFound()
  const body = JSON.stringify(buildAgentCard(brand, provider.organization))
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=300', ...crossOrigin }
  if (matchesETag(request.headers.get('If-None-Match'), etag))
    return new Response(null, { status: 304, headers })
  return new Response(body, { headers: { 'Content-Type': A2A_JSON, ...headers } })
}

/** The preflight of a page that reads a card with headers of its own (Fetch, CORS protocol). */
export function answerCardPreflight(allow: readonly string[]): Response {
  return emptyResponse(204, {
    Allow: allow.join(', '),
    ...crossOrigin,
    'Access-Control-Allow-Methods': allow.join(', '),
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Max-Age': '86400',
  })
}
