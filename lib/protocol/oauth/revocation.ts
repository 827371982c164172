import type { Brand } from '#lib/brands/brand.ts'
import { revokeToken } from '#lib/delegation/revoke.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { emptyResponse, notFound } from '../answers.ts'
import type { RequestRecord } from '../request-record.ts'
import { readClientForm, readParameter } from './form.ts'
import { oauthError } from './oauth-errors.ts'

/**
 * `POST revoke` (RFC 7009 §2.1). The answer is the same 200 whether there was something to revoke (§2.2); a
 * `token_type_hint` is not needed.
 */
export async function revoke(
  request: Request,
  caller: Caller,
  brand: Brand,
  record: RequestRecord,
): Promise<Response> {
  if (!brand.delegation) return notFound()
  const form = await readClientForm(request, caller, record)
  if (form instanceof Response) return form
  const token = readParameter(form, 'token')
  if (token === undefined) {
    record.reason = 'invalid_request'
    return oauthError('invalid_request', 'token is missing')
  }
  await revokeToken({ brand, caller, token })
  return emptyResponse(200)
}
