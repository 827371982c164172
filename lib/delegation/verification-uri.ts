import { authorizationServer } from '#lib/brands/addresses.ts'

/**
 * Builds the links to a Brand's own login (RFC 8628 §3.2), which sends the User on to the consent URL.
 *
 * @param loginUrl of the Brand; a query of its own stays
 * @param userCode as it is shown
 */
export function buildVerificationUris(brandId: string, loginUrl: string, userCode: string) {
  const { consentUrl } = authorizationServer(brandId)
  const linkTo = (returnTo: string) => {
    const link = new URL(loginUrl)
    link.search = `${link.search ? `${link.search}&` : '?'}return_to=${encodeURIComponent(returnTo)}`
    return link.href
  }
  return {
    verificationUri: linkTo(consentUrl),
    verificationUriComplete: linkTo(`${consentUrl}?user_code=${userCode}`),
  }
}
