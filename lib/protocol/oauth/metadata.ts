import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { findBrand } from '#lib/brands/registry.ts'
import { scopeIds } from '#lib/delegation/scopes.ts'
import { notFound } from '../answers.ts'
import { servePublicDocument } from '../public-document.ts'
import { grantTypesSupported } from './token.ts'

/**
 * A Brand's authorization server metadata (RFC 8414 §2, RFC 8628 §4). There is no authorization endpoint, hence no response
 * type. The client authenticates with a Bearer token of its own (§5), for which no method is registered: for a client that
 * knows only registered ones it is `none`, with the `Authorization` header added.
 */
export function buildMetadata({ id, delegation }: Brand) {
  const server = authorizationServer(id)
  return {
    issuer: server.issuer,
    device_authorization_endpoint: server.deviceAuthorizationUrl,
    token_endpoint: server.tokenUrl,
    revocation_endpoint: server.revocationUrl,
    jwks_uri: server.jwksUri,
    scopes_supported: scopeIds(delegation),
    response_types_supported: [],
    grant_types_supported: grantTypesSupported,
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
  }
}

/** `GET …/.well-known/oauth-authorization-server` (§5.1, RFC 8414 §3): open to everyone, cacheable for five minutes. */
export async function serveMetadata(request: Request, brandId: string): Promise<Response> {
  const brand = await findBrand(brandId)
  if (!brand?.delegation) return notFound()
  const body = buildMetadata(brand)
  return servePublicDocument(request, { body, contentType: 'application/json', maxAge: 300 })
}
