/** Something that went wrong, in words for the person at the terminal. */
export class Problem extends Error {
  override name = 'Problem'
  /** What to do about it. */
  readonly advice: string

  constructor(message: string, advice: string, options?: ErrorOptions) {
    super(message, options)
    this.advice = advice
  }
}

/** The Provider, or whoever else should answer at `url`, can't be reached. */
export function unreachable(url: string, cause: unknown): Problem {
  const { origin } = new URL(url)
  if (cause instanceof DOMException && cause.name === 'TimeoutError')
    return new Problem(`${origin} did not answer in time.`, 'Try again in a moment.', { cause })
  return new Problem(
    `Nothing answers at ${origin}.`,
    'Start the Provider with: npm start (or set PROVIDER_URL to where it runs).',
    { cause },
  )
}

/** What answered at `url` does not speak PACT. */
export function notUnderstood(url: string, detail: string): Problem {
  return new Problem(
    `${url} answered with something else than PACT 1.0 asks for: ${detail}.`,
    'Check that the address is that of a PACT Provider.',
  )
}

/** Who asked, as far as it matters to a refusal. */
export type Asker = { issuer: string; audience: string }

/** §3.4: a 401 never says why, so the three usual reasons are named. */
export function notAccepted({ issuer, audience }: Asker): Problem {
  return new Problem(
    'The Provider did not accept this personal agent (401). It does not say why.',
    [
      'Check that',
      `  - it is registered, with the issuer ${issuer} (npm run pact -- pa list)`,
      `  - it is enabled (npm run pact -- pa enable ${issuer})`,
      `  - the Provider's audience is ${audience} (else name it with --audience)`,
      "  - this machine's clock is right",
    ].join('\n'),
  )
}

/** §6: the reasons of an A2A error, in words. */
const reasons: Record<string, [message: string, advice: string]> = {
  INVALID_PARAMS: [
    'The Provider found the message invalid.',
    'If the text is long, say less at once. Else start a new conversation (in a chat: /new).',
  ],
  CONTENT_TYPE_NOT_SUPPORTED: ['The Brand reads text only.', 'Send text.'],
  UNSUPPORTED_OPERATION: ['The conversation is closed.', 'Start a new conversation (in a chat: /new).'],
  TASK_NOT_FOUND: ['The Provider knows no such task.', 'Start a new conversation (in a chat: /new).'],
  INTERNAL: ["The Brand's agent failed.", 'Say it again, or start a new conversation (in a chat: /new).'],
}

/** An A2A error (§6), or a bare status. `detail` is the Provider's own text. */
export function refused(status: number, reason: string | undefined, detail: string | undefined): Problem {
  if (status === 404 && !reason)
    return new Problem('The Provider knows no such Brand (404).', "Check the Brand's card: is it enabled?")
  if (status === 429)
    return new Problem(
      'The Provider asks to slow down (429), and still does.',
      'Wait a little, then say it again.',
    )
  const [message, advice] = reasons[reason ?? ''] ?? [
    `The Provider answered ${status}.`,
    'Try again in a moment.',
  ]
  return new Problem(detail && reason ? `${message} (${reason}: ${detail})` : message, advice)
}
