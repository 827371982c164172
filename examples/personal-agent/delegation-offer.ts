import { z } from 'zod'
import { type Card, fetchDocument } from './card.ts'
import { notUnderstood, Problem } from './problem.ts'

const metadataSchema = z.object({
  issuer: z.url(),
  jwks_uri: z.url(),
  token_endpoint: z.url(),
  device_authorization_endpoint: z.url(),
  revocation_endpoint: z.url().optional(),
})

/** What a Brand's card offers a User to allow (§5.1), and where. */
export type DelegationOffer = {
  deviceAuthorizationUrl: string
  tokenUrl: string
  /** Undefined: permission can't be given back from here. */
  revocationUrl: string | undefined
  /** The keys that sign delegation tokens and receipts. */
  jwksUri: string
  /** Each scope's description, by its id. */
  scopes: ReadonlyMap<string, string>
}

/**
 * What the card offers beyond §3: a `deviceCode` flow, required together with the personal-agent JWT, and the RFC 8414
 * metadata that it links.
 *
 * @returns undefined when the Brand does not offer delegated authority
 * @throws Problem when it does, and its metadata is not there or contradicts the card
 */
export async function fetchDelegationOffer(card: Card): Promise<DelegationOffer | undefined> {
  const scheme = findScheme(card)
  if (!scheme) return undefined
  const { deviceAuthorizationUrl, tokenUrl, scopes } = scheme.flows.deviceCode
  const url = scheme.oauth2MetadataUrl
  const missing = new Problem(
    `There is no metadata at ${url}.`,
    'The card promises it (§5.1): ask the Provider.',
  )
  const metadata = await fetchDocument(url, metadataSchema, { missing })
  if (!isMetadataOf(metadata.issuer, url)) throw notUnderstood(url, 'the metadata is another issuer’s')
  if (
    metadata.token_endpoint !== tokenUrl ||
    metadata.device_authorization_endpoint !== deviceAuthorizationUrl
  )
    throw notUnderstood(url, 'the metadata and the card name different endpoints')
  return {
    deviceAuthorizationUrl,
    tokenUrl,
    revocationUrl: metadata.revocation_endpoint,
    jwksUri: metadata.jwks_uri,
    scopes: new Map(Object.entries(scopes)),
  }
}

/** The `oauth2SecurityScheme` that a requirement names beside one other: the personal-agent JWT. */
function findScheme(card: Card) {
  for (const { schemes } of card.securityRequirements) {
    const names = Object.keys(schemes)
    const offered = names.map((name) => card.securitySchemes[name]?.oauth2SecurityScheme).find(Boolean)
    if (offered && names.length === 2) return offered
  }
  return undefined
}

/** RFC 8414 §3.3: the document must be that of the issuer whose address it was read from. */
function isMetadataOf(issuer: string, url: string): boolean {
  const { origin, pathname } = new URL(issuer)
  const wellKnown = '/.well-known/oauth-authorization-server'
  return url === `${issuer}${wellKnown}` || url === `${origin}${wellKnown}${pathname === '/' ? '' : pathname}`
}
