import type { RefusalReason } from '#lib/identity/caller.ts'
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

/** Why a rule does not hold, and what the personal agent's developer can do. */
export const reasonTexts: Record<RefusalReason, string> = {
  no_token: 'Nothing is there that could be a token.',
  malformed: 'It does not have the form that a JWT has.',
  algorithm: 'Sign with ES256 or RS256.',
  critical_header: 'Leave “crit” out: no extension is understood.',
  token_type:
    'It is a delegation token, a receipt or a card’s signature. Send the token that the personal agent signs.',
  not_provisioned: 'Apply a provision file, or fill in the settings.',
  unknown_issuer:
    'Nobody with exactly this issuer is registered. Compare letter by letter, the last slash too.',
  discovery_failed:
    'The trust policy is open, but the issuer’s OpenID configuration can’t be fetched or is of no use.',
  discovery_busy: 'Too many unknown issuers are being looked up. Try again in a moment.',
  disabled: 'An admin has disabled it.',
  audience: 'Put the audience into “aud” as it is. A list with it inside is refused too.',
  issued_at: 'Put the time of signing into “iat”, in seconds since 1970.',
  issued_in_future: 'Set the signing machine’s clock.',
  expiry: 'Put the time until which it holds into “exp”, in seconds since 1970.',
  expired: 'Sign a new token for each request, or at least every few minutes.',
  lifetime: 'Let it live 300 s at most; 120 s is usual.',
  not_yet_valid: 'Leave “nbf” out, or set it to a time that has come.',
  subject: 'Put a stable id of the User into “sub”, without personal data.',
  jwks_unreachable: 'Its host does not deliver the JWKS. Test the connection to see why.',
  jwks_invalid: 'What its host delivers is no JWKS. Test the connection to see why.',
  unknown_key: 'Publish the key under this “kid” in the JWKS, or sign with one that is there.',
  signature: 'It was signed with another key, or changed afterwards.',
}
