import { startDeviceAuthorization } from '#lib/delegation/device-authorization.ts'
import { type ClientCall, readParameter } from './form.ts'
import { oauthError, oauthJson } from './oauth-errors.ts'
import { readScopes } from './scope-parameter.ts'

/** `POST device_authorization` (§5.3, RFC 8628 §3.1). The caller has been authenticated; the rules apply in this order. */
export async function authorizeDevice({ form, caller, brand, record }: ClientCall): Promise<Response> {
  const scopes = readScopes(readParameter(form, 'scope'), brand)
  if (!scopes) {
    record.reason = 'invalid_scope'
    return oauthError('invalid_scope', 'scope must name one or more of the scopes on the card, and no other')
  }
  const started = await startDeviceAuthorization({ brand, caller, scopes })
  return oauthJson({
    device_code: started.deviceCode,
    user_code: started.userCode,
    verification_uri: started.verificationUri,
    verification_uri_complete: started.verificationUriComplete,
    expires_in: started.expiresIn,
    interval: started.interval,
  })
}
