import { LastAdminError } from '#lib/access/last-admin.ts'
import { ForbiddenError } from '#lib/access/permissions.ts'
import { TooOftenError } from '#lib/access/trial-limit.ts'
import { SearchCutError } from '#lib/identity/find-by-words.ts'
import type { Refusal } from '#lib/keys/lifecycle.ts'
import { KeyRefusalError } from '#lib/keys/rotation.ts'
import { ProvisionError } from '#lib/provisioning/apply-provision.ts'
import { StaleEditError } from '#lib/provisioning/stale-edit.ts'
import { ApiProblem, errorsOf } from './problem.ts'

function ofRefusal(refusal: Refusal): ApiProblem {
  const until = refusal.because === 'needed' ? refusal.until : undefined
  return new ApiProblem('key-needed', {
    because: refusal.because,
    ...(until === undefined ? {} : { until: new Date(until).toISOString() }),
  })
}

const tooWide = { path: 'agent', reason: 'means too many personal agents: say more of the name or issuer' }

/**
 * The one table from what the domains throw to what the API answers. Each of these errors says that nothing has changed.
 *
 * @returns undefined for an error that nobody expected
 */
export function toProblem(error: unknown): ApiProblem | undefined {
  if (error instanceof ApiProblem) return error
  // What belongs to another Brand is answered like what does not exist.
  if (error instanceof ForbiddenError) return new ApiProblem('not-found')
  if (error instanceof StaleEditError) return new ApiProblem('stale')
  if (error instanceof ProvisionError)
    return new ApiProblem('invalid-content', { errors: errorsOf(error.findings) })
  if (error instanceof KeyRefusalError) return ofRefusal(error.refusal)
  if (error instanceof LastAdminError) return new ApiProblem('last-admin')
  if (error instanceof TooOftenError)
    return new ApiProblem('too-many-requests', {}, { 'Retry-After': String(error.retryAfter) })
  if (error instanceof SearchCutError) return new ApiProblem('invalid-content', { errors: [tooWide] })
  return undefined
}
