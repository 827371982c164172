import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
import { findBrand } from '#lib/brands/registry.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { notFound } from '../answers.ts'
import { servePublicDocument } from '../public-document.ts'

/**
 * `GET …/jwks.json` (§5.1): the keys that sign the Brand's delegation tokens and receipts, and the calls of its bot (RFC 7517 §5). Cacheable for a
 * minute: far less than the time between a key's publication and its first signature.
 */
export async function serveJwks(request: Request, brandId: string): Promise<Response> {
  const brand = await findBrand(brandId)
  if (!brand || !hasSigningKeys(brand)) return notFound()
  const body = await publishedJwks(brand.id)
  return servePublicDocument(request, { body, contentType: 'application/jwk-set+json', maxAge: 60 })
}
