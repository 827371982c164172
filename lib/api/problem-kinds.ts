/** Every problem that the API answers with (RFC 9457): its status, its title, and what to do about it. */
export const problemKinds = {
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    advice:
      'Look at `errors`: each names a query parameter, a header or the body, and what is wrong with it.',
  },
  unauthorized: {
    status: 401,
    title: 'There is no valid API token',
    advice:
      'Send `Authorization: Bearer pact_…`. A token that is unknown, revoked or expired, or whose owner may not sign in, is answered alike.',
  },
  forbidden: {
    status: 403,
    title: 'The token may not do this',
    advice: 'The token, or its owner, lacks the permission that the operation names as `x-permission`.',
  },
  'second-factor-required': {
    status: 403,
    title: 'The owner of the token has no second factor',
    advice:
      'The Provider demands one of its admins. Once the owner has signed in to the console and set it up, the token works again.',
  },
  'not-found': {
    status: 404,
    title: 'There is no such thing',
    advice: 'It does not exist, or is not for this token: which of both is not said.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    advice: '`Allow` names those that are.',
  },
  'already-exists': {
    status: 409,
    title: 'It exists already',
    advice: 'Look it up and change it instead.',
  },
  'changed-meanwhile': {
    status: 409,
    title: 'It is not as you said that it was',
    advice: 'Read it again, then decide again.',
  },
  'checks-failed': {
    status: 409,
    title: 'Checks of the Brand fail',
    advice:
      '`failed` says which, and why. Mend the agent or the checks, or send `override`: the audit log keeps that.',
  },
  'last-admin': {
    status: 409,
    title: 'This is the last Provider admin who can sign in',
    advice: 'Make somebody else one first.',
  },
  'key-needed': {
    status: 409,
    title: 'The key can’t be changed so',
    advice: '`because` says why, `until` from when it can.',
  },
  'in-progress': {
    status: 409,
    title: 'A request with this Idempotency-Key is under way, or was interrupted',
    advice: 'Try again in a moment. If it stays so, look whether it was done before you use another key.',
  },
  stale: {
    status: 412,
    title: 'Somebody else has changed it meanwhile',
    advice: 'Read it again: its `ETag` is another now.',
  },
  'too-large': {
    status: 413,
    title: 'The body is too large',
    advice: 'It may have 256 KiB.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body is not JSON',
    advice: 'Send `Content-Type: application/json`.',
  },
  'invalid-content': {
    status: 422,
    title: 'The content is not valid',
    advice: 'Look at `errors`: each names a place in the body, and what is wrong with it.',
  },
  'key-reused': {
    status: 422,
    title: 'This Idempotency-Key was used for another request',
    advice: 'Make a new key for each request.',
  },
  'version-required': {
    status: 428,
    title: 'If-Match is required',
    advice: 'Send the `ETag` of what you have read, so that nobody else’s change is lost.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    advice: '`Retry-After` says in how many seconds the next one is welcome.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    advice: 'Look at whether it was done before you try again.',
  },
} as const

export type ProblemKind = keyof typeof problemKinds
