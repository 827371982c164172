import { authorizationServer, interfaceUrl } from '#lib/brands/addresses.ts'
import type { Brand, BrandDelegation } from '#lib/brands/brand.ts'
import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
import { findBrand } from '#lib/brands/registry.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { config } from '#lib/platform/config.ts'
import { A2A_JSON, notFound } from './answers.ts'
import { signAgentCard } from './card-signature.ts'
import { servePublicDocument } from './public-document.ts'

/** The version of the agents that this product runs, as A2A 1.0 wants one on the card. */
const AGENT_VERSION = '1.0.0'

/** §3: the scheme that every card has, and the requirement that must stay, whatever else a Brand offers (§5.1). */
const paJwt = { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } }
const paJwtAlone = { schemes: { paJwt: { list: [] } } }

/** §5.1: where a User's permission is got, and what it can be for. */
function buildUserDelegation(brandId: string, { scopes }: Pick<BrandDelegation, 'scopes'>) {
  const { deviceAuthorizationUrl, tokenUrl, metadataUrl } = authorizationServer(brandId)
  const described = Object.fromEntries(scopes.map(({ id, description }) => [id, description]))
  const deviceCode = { deviceAuthorizationUrl, tokenUrl, scopes: described }
  return { oauth2SecurityScheme: { flows: { deviceCode }, oauth2MetadataUrl: metadataUrl } }
}

/** What of a Brand its card shows. */
export type CardBrand = Pick<Brand, 'id' | 'name' | 'description' | 'skills' | 'streaming'> & {
  delegation: Pick<BrandDelegation, 'scopes'> | undefined
}

function buildSecurity({ id, delegation }: CardBrand) {
  if (!delegation) return { securitySchemes: { paJwt }, securityRequirements: [paJwtAlone] }
  return {
    securitySchemes: { paJwt, userDelegation: buildUserDelegation(id, delegation) },
    securityRequirements: [paJwtAlone, { schemes: { paJwt: { list: [] }, userDelegation: { list: [] } } }],
  }
}

/** A Brand's Agent Card (§2.1), with delegated authority where the Brand offers it (§5.1). */
export function buildAgentCard(brand: CardBrand, organization: string) {
  return {
    name: brand.name,
    description: brand.description,
    supportedInterfaces: [
      { url: interfaceUrl(brand.id), protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    ],
    provider: { organization, url: config().providerUrl },
    version: AGENT_VERSION,
    capabilities: { streaming: brand.streaming, pushNotifications: false, extendedAgentCard: false },
    ...buildSecurity(brand),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: brand.skills,
  }
}

/** A card without its signatures. */
export type AgentCard = ReturnType<typeof buildAgentCard>

/** Signed where there are keys to verify it with. */
async function buildDocument(brand: Brand, organization: string) {
  const card = buildAgentCard(brand, organization)
  if (!hasSigningKeys(brand)) return { body: card }
  const signatures = await signAgentCard(card, brand.id)
  // Each process signs for itself: the card and the keys make the version, not the signatures.
  const version = { card, signedBy: signatures.map((signature) => signature.protected) }
  return { body: { ...card, signatures }, version }
}

/** `GET …/.well-known/agent-card.json` (§2.1): open to everyone, cacheable for five minutes. */
export async function serveAgentCard(request: Request, brandId: string): Promise<Response> {
  const [brand, provider] = await Promise.all([findBrand(brandId), findProvider()])
  if (!brand || !provider) return notFound()
  const document = await buildDocument(brand, provider.organization)
  return servePublicDocument(request, { ...document, contentType: A2A_JSON, maxAge: 300 })
}
