import type { TokenRule } from '#lib/identity/token-checks.ts'

/** What each rule on a token says (§3.2). */
export const ruleTexts: Record<TokenRule, string> = {
  form: 'It is one compact JWS: three base64url parts with dots between them.',
  encoding: 'Header and claims are JSON objects in UTF-8.',
  alg: '“alg” is ES256 or RS256.',
  crit: 'The header has no “crit”.',
  kid: '“kid” is text, if it is there. It should be.',
  typ: '“typ” does not name another kind of token.',
  iss: '“iss” is text that can be an issuer.',
  provisioned: 'The Provider has been set up.',
  aud: '“aud” is exactly the audience that the Provider has assigned, as one string.',
  iat: '“iat” is there, a number of seconds.',
  exp: '“exp” is there, a number of seconds.',
  not_in_future: '“iat” is at most 30 s in the future.',
  not_expired: '“exp” is not over for 30 s or longer.',
  lifetime: '“exp” is after “iat”, by at most 300 s.',
  not_before: '“nbf”, if it is there, is not in the future.',
  sub: '“sub” is there: text of 1 to 255 characters.',
  issuer: 'The issuer is a known personal agent.',
  enabled: 'The personal agent is enabled.',
  jwks: 'Its JWKS can be had.',
  key: 'The JWKS has the key: of that “kid”, fit for “alg”.',
  signature: 'The signature verifies.',
}
