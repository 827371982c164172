import { notFound } from '../answers.ts'
import { authorizeDevice } from './device-authorization.ts'
import { type ClientCall, readClientForm } from './form.ts'
import { revoke } from './revocation.ts'
import { issueTokens } from './token.ts'

/** What the client calls, by operation. */
const endpoints = { deviceAuthorization: authorizeDevice, token: issueTokens, revocation: revoke }

export type ClientEndpoint = keyof typeof endpoints

/**
 * Answers a call of a Brand's authorization server (§5.3, RFC 6749, 7009, 8628). The caller has been authenticated; a Brand
 * without delegation has no such endpoint, and the form and its `client_id` come before everything that they ask for.
 */
export async function answerClientCall(
  endpoint: ClientEndpoint,
  request: Request,
  { caller, brand, record }: Omit<ClientCall, 'form'>,
): Promise<Response> {
  if (!brand.delegation) return notFound()
  const form = await readClientForm(request, caller, record)
  return form instanceof Response ? form : endpoints[endpoint]({ form, caller, brand, record })
}
