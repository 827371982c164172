import { assertMay, type Viewer } from '#lib/access/permissions.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import type { Brand } from '#lib/brands/brand.ts'
import { findBrand } from '#lib/brands/registry.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { decodeAssertion } from './assertion.ts'
import { type CheckResult, explainAssertion } from './assertion-checks.ts'
import { hashSecret, newUserCode, readUserCode } from './opaque-codes.ts'
import { buildVerificationUris } from './verification-uri.ts'

/** How long a test waits for the login, in seconds: as long as a user code lives. */
const LIFETIME = 600

/** A test that has begun. `userCode` names it. */
export type StartedTest = { userCode: string; loginUrl: string; consentUrl: string }

/** How far a test has come. */
export type TestProgress =
  | { state: 'waiting' | 'over' }
  | { state: 'arrived'; at: Date; checks: CheckResult[] }

/**
 * Begins a test of a Brand's login: the link that a User would open, with a code that no personal agent asked for. Nothing
 * can be allowed with it: there is no authorization behind it.
 *
 * @returns undefined for a Brand that is disabled or offers no delegation
 * @throws ForbiddenError
 */
export async function startLoginTest(viewer: Viewer, brandId: string): Promise<StartedTest | undefined> {
  assertMay(viewer, 'brands.write', brandId)
  const brand = await findBrand(brandId)
  if (!brand?.delegation) return undefined
  const userCode = newUserCode()
  await pool().query(
    `INSERT INTO "LoginTest" ("userCodeHash", "brandId", "startedBy", "expiresAt")
     VALUES ($1, $2, $3, now() + $4 * interval '1 second')`,
    [hashSecret(readUserCode(userCode) ?? ''), brandId, viewer.userId, LIFETIME],
  )
  const { verificationUriComplete } = buildVerificationUris(brandId, brand.delegation.login.url, userCode)
  return { userCode, loginUrl: verificationUriComplete, consentUrl: authorizationServer(brandId).consentUrl }
}

/** The code that an assertion names, verified or not. */
function readNamedCode(text: string): string | undefined {
  const code = decodeAssertion(text)?.claims.user_code
  return typeof code === 'string' ? readUserCode(code) : undefined
}

/**
 * Notes what is right and wrong about an assertion that came for a test. Nobody is logged in by it, and it opens nothing.
 *
 * @returns false when it is for no test that waits
 */
export async function noteTestedAssertion(brand: Brand, text: string): Promise<boolean> {
  const letters = readNamedCode(text)
  if (letters === undefined) return false
  const where = {
    brandId: brand.id,
    userCodeHash: new Uint8Array(hashSecret(letters)),
    expiresAt: { gt: new Date() },
  }
  if ((await prisma().loginTest.count({ where })) === 0) return false
  const checks = await explainAssertion(text, brand)
  const { count } = await prisma().loginTest.updateMany({ where, data: { checks, arrivedAt: new Date() } })
  return count === 1
}

/**
 * How far the viewer's own test has come.
 *
 * @throws ForbiddenError
 */
export async function readLoginTest(
  viewer: Viewer,
  brandId: string,
  userCode: string,
): Promise<TestProgress> {
  assertMay(viewer, 'brands.write', brandId)
  const letters = readUserCode(userCode) ?? ''
  const test = await prisma().loginTest.findFirst({
    where: { brandId, startedBy: viewer.userId, userCodeHash: new Uint8Array(hashSecret(letters)) },
  })
  if (test?.arrivedAt && test.checks) {
    return { state: 'arrived', at: test.arrivedAt, checks: test.checks as CheckResult[] }
  }
  return { state: test && test.expiresAt > new Date() ? 'waiting' : 'over' }
}
