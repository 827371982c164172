import type { CountedReason } from '#lib/identity/refusals.ts'

type Text = { title: string; advice: string }

/** Each reason to refuse a request, in words, and what the personal agent's developer has to do. */
export const reasonTexts: Readonly<Record<CountedReason, Text>> = {
  no_token: { title: 'No token', advice: 'Send `Authorization: Bearer` with a signed JWT on every request.' },
  malformed: {
    title: 'Not a JWT',
    advice: 'Send one compact JWS with JSON inside, and the agent’s issuer as `iss`.',
  },
  algorithm: {
    title: 'Algorithm',
    advice: 'Sign with the algorithm that the key’s own type asks for, such as ES256.',
  },
  critical_header: { title: 'Critical header', advice: 'Leave out the `crit` header.' },
  token_type: {
    title: 'Another kind of token',
    advice: 'Send the agent’s own JWT, not one of another purpose.',
  },
  not_provisioned: {
    title: 'Not set up',
    advice: 'Nothing to do for the agent: this Provider had no settings yet.',
  },
  unknown_issuer: {
    title: 'Unknown issuer',
    advice: 'Register the agent here, with exactly the `iss` that it sends.',
  },
  discovery_failed: {
    title: 'Issuer not found',
    advice:
      'Publish /.well-known/openid-configuration at the issuer, with the same `issuer` and a `jwks_uri`.',
  },
  discovery_busy: {
    title: 'Too many new issuers',
    advice: 'Try again in a minute; too many were looked up at once.',
  },
  disabled: { title: 'Disabled', advice: 'An admin has disabled this agent.' },
  audience: { title: 'Audience', advice: 'Send this Provider’s audience as `aud`, as one text, exactly.' },
  issued_at: { title: 'No time of issue', advice: 'Send `iat` as a number of seconds.' },
  issued_in_future: {
    title: 'Issued in the future',
    advice: 'Set the clock: `iat` lies more than 30 seconds ahead.',
  },
  expiry: { title: 'No expiry', advice: 'Send `exp` as a number of seconds.' },
  expired: { title: 'Expired', advice: 'Sign a new token; set the clock if this goes on.' },
  lifetime: { title: 'Lives too long', advice: 'Let `exp` be at most 300 seconds after `iat`.' },
  not_yet_valid: { title: 'Not valid yet', advice: 'Leave out `nbf`, or set the clock.' },
  subject: { title: 'Subject', advice: 'Send the User as `sub`: 1 to 255 characters.' },
  jwks_unreachable: {
    title: 'Keys not reachable',
    advice: 'The agent’s JWKS must answer over https within 3 seconds, without a redirect.',
  },
  jwks_invalid: {
    title: 'Keys not usable',
    advice: 'The JWKS must be a JSON document of at most 64 KiB and 50 keys.',
  },
  unknown_key: {
    title: 'Unknown key',
    advice: 'Publish the key before it signs, under the `kid` of the header.',
  },
  signature: { title: 'Signature', advice: 'The signature does not fit the published key of that `kid`.' },
  delegation_token: {
    title: 'Delegation token',
    advice:
      'It has expired, was withdrawn, or belongs to another agent or Brand. Refresh it, or ask the User again.',
  },
  rate_limited: {
    title: 'Too many requests',
    advice: 'Wait as long as `Retry-After` says. Limits can be raised per agent.',
  },
}

export function textOfReason(reason: string): Text {
  return Object.hasOwn(reasonTexts, reason)
    ? reasonTexts[reason as CountedReason]
    : { title: reason, advice: '' }
}
