import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { readTextBody } from '../read-body.ts'
import type { RequestRecord } from '../request-record.ts'
import { oauthError } from './oauth-errors.ts'

/** The most that a form may have, in bytes. */
const MAX_FORM_BYTES = 64 * 1024

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** A form's parameters, each at most once. */
export type Form = ReadonlyMap<string, string>

/** A call of a Brand's authorization server by its client, the personal agent: authenticated, and its form read. */
export type ClientCall = { form: Form; caller: Caller; brand: Brand; record: RequestRecord }

type Refusal = 'invalid_request' | 'invalid_client'

/** RFC 6749 §3.2: a parameter without a value counts as left out. */
export function readParameter(form: Form, name: string): string | undefined {
  return form.get(name) || undefined
}

function refuse(record: RequestRecord, error: Refusal, description: string): Response {
  record.reason = error
  return oauthError(error, description)
}

/** RFC 6749 §3.2: a parameter must not come more than once. */
function collect(text: string): Form | undefined {
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (form.has(name)) return undefined
    form.set(name, value)
  }
  return form
}

/**
 * Reads the form of an OAuth request, and checks that `client_id` is the caller (§5: the client is the personal agent,
 * authenticated by its JWT).
 *
 * @returns the form, or the answer that refuses it: `invalid_request`, or `invalid_client` for somebody else's `client_id`
 */
export async function readClientForm(
  request: Request,
  caller: Caller,
  record: RequestRecord,
): Promise<Form | Response> {
  if (!FORM.test(request.headers.get('Content-Type') ?? '')) {
    return refuse(record, 'invalid_request', 'The body must be application/x-www-form-urlencoded')
  }
  const body = await readTextBody(request, MAX_FORM_BYTES)
  if (!body.ok) return refuse(record, 'invalid_request', body.fault)
  const form = collect(body.text)
  if (!form) return refuse(record, 'invalid_request', 'A parameter is repeated')
  const clientId = readParameter(form, 'client_id')
  if (clientId === undefined) return refuse(record, 'invalid_request', 'client_id is missing')
  if (clientId === caller.personalAgent.issuer) return form
  return refuse(record, 'invalid_client', 'client_id must be the issuer of the personal-agent JWT')
}
