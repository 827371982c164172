import { countTraffic } from '#lib/conversations/traffic.ts'
import { redeemDeviceCode } from '#lib/delegation/redeem-device-code.ts'
import { refreshTokens } from '#lib/delegation/refresh.ts'
import type { TokenSet } from '#lib/delegation/token-set.ts'
import { type ClientCall, readParameter } from './form.ts'
import { type OAuthErrorCode, oauthError, oauthJson } from './oauth-errors.ts'
import { readScopes } from './scope-parameter.ts'

type Asked = Omit<ClientCall, 'record'>

type Result = { ok: true; tokens: TokenSet } | { ok: false; error: OAuthErrorCode; description?: string }

function refuse(error: OAuthErrorCode, description: string): Result {
  return { ok: false, error, description }
}

/** RFC 8628 §3.4. */
async function redeem({ form, caller, brand }: Asked): Promise<Result> {
  const deviceCode = readParameter(form, 'device_code')
  if (deviceCode === undefined) return refuse('invalid_request', 'device_code is missing')
  return redeemDeviceCode({ brand, caller, deviceCode })
}

/** RFC 6749 §6. */
async function refresh({ form, caller, brand }: Asked): Promise<Result> {
  const refreshToken = readParameter(form, 'refresh_token')
  if (refreshToken === undefined) return refuse('invalid_request', 'refresh_token is missing')
  const scope = readParameter(form, 'scope')
  if (scope === undefined) return refreshTokens({ brand, caller, refreshToken })
  const scopes = readScopes(scope, brand)
  if (!scopes) return refuse('invalid_scope', 'scope must name one or more of the scopes on the card')
  return refreshTokens({ brand, caller, refreshToken, scopes })
}

/** Each grant type and what it does. Also what the metadata lists. */
const grantTypes = new Map([
  ['urn:ietf:params:oauth:grant-type:device_code', redeem],
  ['refresh_token', refresh],
])

/** RFC 8414 `grant_types_supported`. */
export const grantTypesSupported = [...grantTypes.keys()]

async function decide(asked: Asked): Promise<Result> {
  const grantType = readParameter(asked.form, 'grant_type')
  if (grantType === undefined) return refuse('invalid_request', 'grant_type is missing')
  const grant = grantTypes.get(grantType)
  return grant ? grant(asked) : refuse('unsupported_grant_type', 'This grant_type is not supported')
}

/** `POST token` (§5.3, RFC 6749 §3.2). The caller has been authenticated; the rules apply in this order. */
export async function issueTokens({ form, caller, brand, record }: ClientCall): Promise<Response> {
  const result = await decide({ form, caller, brand })
  if (!result.ok) {
    record.reason = result.error
    return oauthError(result.error, result.description)
  }
  countTraffic('token', { brandId: brand.id, personalAgentId: caller.personalAgent.id })
  const { accessToken, refreshToken, expiresIn, scopes } = result.tokens
  return oauthJson({
    token_type: 'Bearer',
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn,
    scope: scopes.join(' '),
  })
}
