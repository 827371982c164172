/** Protocol paths, and the one below them that is a page: a User sees it. */
const PROTOCOL = /^\/(a2a|\.well-known\/oauth-authorization-server)\//
const CONSENT = /^\/a2a\/[^/?]+\/oauth\/consent(?=[/?]|$)/

/**
 * Tells whether a request belongs to the protocol, and not to a page.
 *
 * @param target the request's target in origin form, with its query
 */
export function isProtocolTarget(target: string): boolean {
  return PROTOCOL.test(target) && !CONSENT.test(target)
}
