import { revokeToken } from '#lib/delegation/revoke.ts'
import { emptyResponse } from '../answers.ts'
import { type ClientCall, readParameter } from './form.ts'
import { oauthError } from './oauth-errors.ts'

/**
 * `POST revoke` (RFC 7009 §2.1). The answer is the same 200 whether there was something to revoke (§2.2); a
 * `token_type_hint` is not needed.
 */
export async function revoke({ form, caller, brand, record }: ClientCall): Promise<Response> {
  const token = readParameter(form, 'token')
  if (token === undefined) {
    record.reason = 'invalid_request'
    return oauthError('invalid_request', 'token is missing')
  }
  await revokeToken({ brand, caller, token })
  return emptyResponse(200)
}
