import { setTimeout as sleep } from 'node:timers/promises'

/** What came back, read to its end. */
export type Answer = {
  status: number
  headers: Headers
  text: string
  /** The body as JSON; undefined when it is not JSON. */
  json: unknown
}

export type Call = {
  method?: string
  url: string
  /** Sent as `Authorization: Bearer …`. */
  token?: string | undefined
  headers?: Record<string, string>
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown
}

/** The longest that the suite waits after 429s for one request, in seconds: its token lives for 120. */
const LONGEST_WAIT = 90

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** §2: what a personal agent sends with a request; `headers` win. */
function headersOf({ token, headers, body }: Call): Record<string, string> {
  return {
    'A2A-Version': '1.0',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    ...headers,
  }
}

/** One HTTP exchange. Redirects are not followed; a 429 is returned like any other answer. */
export async function exchange(call: Call): Promise<Answer> {
  const body =
    call.body === undefined || typeof call.body === 'string' ? call.body : JSON.stringify(call.body)
  const response = await fetch(call.url, {
    method: call.method ?? 'GET',
    headers: headersOf(call),
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
    ...(body === undefined ? {} : { body: Buffer.from(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, json: parse(text) }
}

/**
 * Sends a request, and sends it again after a 429, when its `Retry-After` has passed (§6).
 *
 * @throws Error when a 429 has no usable `Retry-After`, or the waits come to more than a minute and a half
 */
export async function send(call: Call): Promise<Answer> {
  let waited = 0
  for (;;) {
    const answer = await exchange(call)
    if (answer.status !== 429) return answer
    const seconds = retryAfter(answer)
    if (seconds === undefined) throw new Error('§6: a 429 without a usable Retry-After')
    // A Retry-After of 0 must not become a loop without a pause.
    waited += Math.max(seconds, 1)
    if (waited > LONGEST_WAIT) throw new Error(`429, Retry-After ${seconds}: too long to wait for`)
    await sleep(Math.max(seconds, 1) * 1000 + 50)
  }
}

/** RFC 9110 §10.2.3: the seconds to wait, from either form of `Retry-After`; undefined without one. */
export function retryAfter(answer: Answer): number | undefined {
  const text = answer.headers.get('Retry-After')
  if (text === null) return undefined
  if (/^\d+$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - Date.now()) / 1000))
}

/** The media type of an answer, without parameters; empty when it names none. */
export function mediaType(answer: Answer): string {
  return (answer.headers.get('Content-Type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The member at `path` of a JSON value; undefined when there is none. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value
  for (const step of path) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else if (isRecord(found) && typeof step === 'string') found = found[step]
    else return undefined
  }
  return found
}
