type Claims = Readonly<Record<string, unknown>>

/**
 * What an OpenID Connect provider says of somebody, in the ID token and at its UserInfo endpoint, which is the newer. Whether
 * an address is verified counts for that address alone.
 *
 * @param info left out where there is no such endpoint
 * @throws TypeError when it tells of somebody else (OpenID Connect Core §5.3.2)
 */
export function mergeClaims(token: Claims, info: Claims | undefined): Record<string, unknown> {
  if (!info) return { ...token }
  if (info.sub !== token.sub) throw new TypeError('The UserInfo endpoint tells of somebody else')
  const { email_verified, ...rest } = token
  const isSameAddress = info.email === undefined || info.email === token.email
  const verified = isSameAddress && email_verified !== undefined ? { email_verified } : {}
  return { ...rest, ...verified, ...info }
}
