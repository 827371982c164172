import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { findClaimFault, isSubject } from '#lib/identity/token-claims.ts'
import { findHeaderFault } from '#lib/identity/token-format.ts'
import { now } from '#lib/platform/clock.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { decodeAssertion, findSignatureFault, isAssertionType, isUsableJti } from './assertion.ts'

/** The rules of the Brand login contract (§5.3), in the order in which an assertion meets them. */
export const assertionChecks = [
  'form',
  'header',
  'issuer',
  'audience',
  'times',
  'subject',
  'jti',
  'keys',
  'signature',
] as const
export type AssertionCheck = (typeof assertionChecks)[number]

/** `skipped`: what it needs was not there. `found`: what stood there instead, where that is nobody's secret. */
export type CheckResult = { check: AssertionCheck; result: 'passed' | 'failed' | 'skipped'; found?: string }

/** The most of a value that is shown, in characters. */
const SHOWN = 200

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return makeVisible((text ?? 'nothing').slice(0, SHOWN))
}

function outcome(check: AssertionCheck, right: boolean, found?: string): CheckResult {
  if (right) return { check, result: 'passed' }
  return { check, result: 'failed', ...(found === undefined ? {} : { found }) }
}

/**
 * Checks a login assertion by the rules of `verifyAssertion`, each of them whatever the others say: for whoever sets a login
 * up. All pass exactly for what that function takes. What it is for is not looked at.
 */
export async function explainAssertion(text: string, { id, delegation }: Brand): Promise<CheckResult[]> {
  const decoded = decodeAssertion(text)
  if (!decoded || !delegation) {
    const rest = assertionChecks.slice(1).map((check) => ({ check, result: 'skipped' as const }))
    return [{ check: 'form', result: 'failed' }, ...rest]
  }
  const { header, claims } = decoded
  const { issuer, jwksUri } = delegation.login
  const { consentUrl } = authorizationServer(id)
  const headerFault = findHeaderFault(header) ?? (isAssertionType(header.typ) ? undefined : 'token_type')
  const timeFault = findClaimFault({ ...claims, aud: consentUrl, sub: 'any' }, consentUrl, now() / 1000)
  const signatureFault = await findSignatureFault(text, header, { id, jwksUri })
  const signature: CheckResult =
    signatureFault === 'unreachable'
      ? { check: 'signature', result: 'skipped' }
      : outcome('signature', signatureFault === undefined)
  return [
    { check: 'form', result: 'passed' },
    outcome('header', headerFault === undefined, headerFault),
    outcome('issuer', claims.iss === issuer, show(claims.iss)),
    outcome('audience', claims.aud === consentUrl, show(claims.aud)),
    outcome('times', timeFault === undefined, timeFault),
    outcome('subject', isSubject(claims.sub)),
    outcome('jti', isUsableJti(claims.jti)),
    outcome('keys', signatureFault !== 'unreachable'),
    signature,
  ]
}
