import { authorizationServer } from '#lib/brands/addresses.ts'

/**
 * Builds a link to a Brand's own login (§5.3), which returns the User to `returnTo`.
 *
 * @param loginUrl of the Brand; a query of its own stays
 */
export function buildLoginLink(loginUrl: string, returnTo: string): string {
  const link = new URL(loginUrl)
  link.search = `${link.search ? `${link.search}&` : '?'}return_to=${encodeURIComponent(returnTo)}`
  return link.href
}

/**
 * Builds the links to a Brand's own login (RFC 8628 §3.2), which sends the User on to the consent URL.
 *
 * @param loginUrl of the Brand; a query of its own stays
 * @param userCode as it is shown
 */
export function buildVerificationUris(brandId: string, loginUrl: string, userCode: string) {
  const { consentUrl } = authorizationServer(brandId)
  return {
    verificationUri: buildLoginLink(loginUrl, consentUrl),
    verificationUriComplete: buildLoginLink(loginUrl, `${consentUrl}?user_code=${userCode}`),
  }
}
