import { config } from '#lib/platform/config.ts'

/** §2.1: the interface URL, to which the operations' paths are relative. Without a trailing slash. */
export function interfaceUrl(brandId: string): string {
  return `${config().providerUrl}/a2a/${brandId}`
}

/** §2.1: where the Provider serves a Brand's Agent Card. */
export function cardUrl(brandId: string): string {
  return `${interfaceUrl(brandId)}/.well-known/agent-card.json`
}

/** Where a Brand's authorization server is (§5.1, RFC 8414). Every address is below its issuer, but for one. */
export function authorizationServer(brandId: string) {
  const issuer = `${interfaceUrl(brandId)}/oauth`
  const { origin, pathname } = new URL(issuer)
  return {
    /** `iss` of delegation tokens and receipts (§5.4). */
    issuer,
    deviceAuthorizationUrl: `${issuer}/device_authorization`,
    tokenUrl: `${issuer}/token`,
    revocationUrl: `${issuer}/revoke`,
    jwksUri: `${issuer}/jwks.json`,
    /** `aud` of login assertions; the Brand's login page sends the User there. */
    consentUrl: `${issuer}/consent`,
    /** As the card gives it (§5.1). */
    metadataUrl: `${issuer}/.well-known/oauth-authorization-server`,
    /** RFC 8414 §3.1: the well-known part between host and path. */
    standardMetadataUrl: `${origin}/.well-known/oauth-authorization-server${pathname}`,
  }
}
