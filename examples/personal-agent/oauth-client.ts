import { z } from 'zod'
import { type Asker, notAccepted, notUnderstood, unreachable } from './problem.ts'

const TIME_LIMIT = 15_000

const errorSchema = z.object({ error: z.string(), error_description: z.string().optional() })

/** Who calls a Brand's authorization server: the personal agent, with its §3 JWT (§5.3). */
export type OAuthClient = {
  asker: Asker
  /** A personal-agent JWT for one request. */
  sign(): Promise<string>
}

/** What an OAuth endpoint answered; `error` is RFC 6749 §5.2's or RFC 8628 §3.5's. */
export type OAuthAnswer<T> =
  | { ok: true; value: T }
  | { ok: false; error: string; description: string | undefined }

/**
 * Posts a form to an OAuth endpoint, with `client_id` and the personal agent's own token.
 *
 * @param schema what success looks like
 * @throws Problem when nothing answers, or something else than OAuth, or a 401 without an OAuth error (§3.4)
 */
export async function postForm<T>(
  client: OAuthClient,
  url: string,
  fields: Record<string, string>,
  schema: z.ZodType<T>,
): Promise<OAuthAnswer<T>> {
  const response = await post(client, url, fields)
  const text = await response.text().catch(() => '')
  const body: unknown = parseJson(text)
  const failure = errorSchema.safeParse(body)
  if (!response.ok && failure.success)
    return { ok: false, error: failure.data.error, description: failure.data.error_description }
  if (response.status === 401) throw notAccepted(client.asker)
  const parsed = schema.safeParse(body)
  if (!response.ok || !parsed.success) throw notUnderstood(url, `status ${response.status}`)
  return { ok: true, value: parsed.data }
}

async function post(client: OAuthClient, url: string, fields: Record<string, string>): Promise<Response> {
  const headers = { Authorization: `Bearer ${await client.sign()}`, Accept: 'application/json' }
  const body = new URLSearchParams({ ...fields, client_id: client.asker.issuer })
  try {
    const signal = AbortSignal.timeout(TIME_LIMIT)
    return await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
  } catch (cause) {
    throw unreachable(url, cause)
  }
}

/** An empty body, such as that of a revocation (RFC 7009 §2.2), is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
