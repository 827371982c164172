import type { CountedReason } from '#lib/identity/refusal.ts'

type Text = { title: string; advice: string }

/** Each reason to refuse a request, in words, and what the personal agent's developer can do. */
const reasonTexts: Readonly<Record<CountedReason, Text>> = {
  no_token: {
    title: 'No token',
    advice: 'Send “Authorization: Bearer” and a signed JWT with every request.',
  },
  malformed: {
    title: 'Not a JWT',
    advice: 'Send one compact JWS with JSON objects inside, and the agent’s issuer as “iss”.',
  },
  algorithm: { title: 'Algorithm', advice: 'Sign with ES256 or RS256, as the key’s own type asks for.' },
  critical_header: {
    title: 'Critical header',
    advice: 'Leave “crit” out of the header: no extension is understood.',
  },
  token_type: {
    title: 'Another kind of token',
    advice:
      'It is a delegation token, a receipt or a card’s signature. Send the token that the personal agent signs.',
  },
  not_provisioned: {
    title: 'Not set up',
    advice: 'Nothing to do for the agent: this Provider had no settings yet. Fill them in, or apply a file.',
  },
  unknown_issuer: {
    title: 'Unknown issuer',
    advice: 'Nobody with exactly this “iss” is registered. Compare letter by letter, the last slash too.',
  },
  discovery_failed: {
    title: 'Issuer not found',
    advice:
      'Publish /.well-known/openid-configuration at the issuer, with the same “issuer” and a “jwks_uri”.',
  },
  discovery_busy: {
    title: 'Too many new issuers',
    advice: 'Try again in a minute: too many unknown issuers were looked up at once.',
  },
  disabled: { title: 'Disabled', advice: 'An admin of this Provider has disabled the agent.' },
  audience: {
    title: 'Audience',
    advice:
      'Send this Provider’s audience as “aud”, exactly, as one string. A list with it inside is refused.',
  },
  issued_at: {
    title: 'No time of issue',
    advice: 'Put the time of signing into “iat”, in seconds since 1970.',
  },
  issued_in_future: {
    title: 'Issued in the future',
    advice: 'Set the signing machine’s clock: “iat” lies more than 30 s ahead.',
  },
  expiry: {
    title: 'No expiry',
    advice: 'Put the time until which it holds into “exp”, in seconds since 1970.',
  },
  expired: {
    title: 'Expired',
    advice: 'Sign a new token for each request, or every few minutes. Set the clock if this goes on.',
  },
  lifetime: { title: 'Lives too long', advice: 'Let “exp” be 300 s after “iat” at most; 120 s is usual.' },
  not_yet_valid: {
    title: 'Not valid yet',
    advice: 'Leave “nbf” out, or set it to a time that has come.',
  },
  subject: {
    title: 'Subject',
    advice: 'Put a stable id of the User into “sub”: 1 to 255 characters, without personal data.',
  },
  jwks_unreachable: {
    title: 'Keys not reachable',
    advice:
      'Its JWKS must answer over https within 3 s, without a redirect. Test the connection to see more.',
  },
  jwks_invalid: {
    title: 'Keys not usable',
    advice:
      'Its JWKS must be a JSON document of at most 64 KiB and 50 keys. Test the connection to see more.',
  },
  unknown_key: {
    title: 'Unknown key',
    advice: 'Publish the key under the header’s “kid” before it signs, or sign with one that is there.',
  },
  signature: {
    title: 'Signature',
    advice: 'It was signed with another key than the published one of that “kid”, or changed afterwards.',
  },
  delegation_token: {
    title: 'Delegation token',
    advice:
      'It has expired, was withdrawn, or belongs to another agent or Brand. Refresh it, or ask the User again.',
  },
  rate_limited: {
    title: 'Too many requests',
    advice: 'Wait as long as “Retry-After” says. Limits can be raised for each agent.',
  },
}

/** The words for a reason as it was stored: one that this version does not know stands for itself. */
export function textOfReason(reason: string): Text {
  return Object.hasOwn(reasonTexts, reason)
    ? reasonTexts[reason as CountedReason]
    : { title: reason, advice: '' }
}
