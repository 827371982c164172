import { config } from '#lib/platform/config.ts'
import { authorizationServer } from './addresses.ts'

/** Where a Brand's Users find their pages at the Provider. */
export function userPages(brandId: string) {
  const { consentUrl } = authorizationServer(brandId)
  const { pathname } = new URL(config().providerUrl)
  return {
    consentUrl,
    /** What a User has allowed. */
    grantsUrl: `${config().providerUrl}/consent/${brandId}/grants`,
    /** Where the Brand's login returns a User who wants to see that. */
    grantsLoginReturn: `${consentUrl}?view=grants`,
    /** The path before every page's own, without a slash at its end. */
    basePath: pathname.replace(/\/$/, ''),
  }
}
