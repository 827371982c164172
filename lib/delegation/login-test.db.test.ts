import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBrandLogin, type TestBrandLogin } from '#e2e/harness/brand-login.ts'
import { buildDelegation, openDelegatingDatabase, provideDelegation } from '#e2e/harness/delegating-brand.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { acceptAssertion } from './consent.ts'
import { readLoginTest, startLoginTest } from './login-test.ts'

let database: Awaited<ReturnType<typeof openDelegatingDatabase>>
let login: TestBrandLogin

const manager: Viewer = {
  userId: '01900000-0000-7000-8000-000000000001',
  email: 'm@b.example',
  name: null,
  providerRole: null,
  brandRoles: new Map(),
}

beforeAll(async () => {
  database = await openDelegatingDatabase()
  login = await startBrandLogin()
  await provideDelegation([], { ...buildDelegation(), login: login.settings })
  manager.brandRoles = new Map([[database.brandId, 'manager']])
})
afterAll(async () => {
  await login.close()
  await database.close()
})

async function begin() {
  const started = await startLoginTest(manager, database.brandId)
  if (!started) throw new Error('no test')
  return started
}
const progress = (userCode: string) => readLoginTest(manager, database.brandId, userCode)

describe('a test of a Brand’s login', () => {
  it('waits, takes the assertion for its code, says what was right, and allows nothing', async () => {
    const { userCode, loginUrl, consentUrl } = await begin()
    expect(loginUrl).toContain(encodeURIComponent(`${consentUrl}?user_code=${userCode}`))
    expect(await progress(userCode)).toEqual({ state: 'waiting' })

    const text = await login.sign(consentUrl, { claims: { user_code: userCode } })
    expect(await acceptAssertion(await database.brand(), text)).toEqual({ kind: 'login-tested' })
    const arrived = await progress(userCode)
    expect(arrived).toMatchObject({ state: 'arrived' })
    expect(JSON.stringify(arrived)).not.toContain('failed')

    expect(await prisma().deviceAuthorization.count()).toBe(0)
    expect(await prisma().grant.count()).toBe(0)
    expect(await prisma().userSession.count()).toBe(0)
  })

  it('an assertion that is not right shows what is wrong', async () => {
    const { userCode, consentUrl } = await begin()
    const text = await login.sign(consentUrl, { claims: { user_code: userCode, iss: 'https://x.example' } })
    expect(await acceptAssertion(await database.brand(), text)).toEqual({ kind: 'login-tested' })
    expect(await progress(userCode)).toMatchObject({
      checks: expect.arrayContaining([{ check: 'issuer', result: 'failed', found: 'https://x.example' }]),
    })
  })

  it('an assertion for another code is none of it', async () => {
    const { userCode, consentUrl } = await begin()
    const text = await login.sign(consentUrl, { claims: { user_code: 'BBBB-BBBB' } })
    expect(await acceptAssertion(await database.brand(), text)).toMatchObject({ problem: 'unknown' })
    expect(await progress(userCode)).toEqual({ state: 'waiting' })
  })

  it('ends with its time', async () => {
    const { userCode, consentUrl } = await begin()
    await pool().query(`UPDATE "LoginTest" SET "expiresAt" = now() - interval '1 second'`)
    const text = await login.sign(consentUrl, { claims: { user_code: userCode } })
    expect(await acceptAssertion(await database.brand(), text)).toMatchObject({ problem: 'unknown' })
    expect(await progress(userCode)).toEqual({ state: 'over' })
  })

  it('is its starter’s alone, and of their Brand', async () => {
    const { userCode } = await begin()
    const other = { ...manager, userId: '01900000-0000-7000-8000-000000000002' }
    expect(await readLoginTest(other, database.brandId, userCode)).toEqual({ state: 'over' })
    await expect(startLoginTest(manager, OTHER_BRAND_ID)).rejects.toThrow(ForbiddenError)
    await expect(readLoginTest(manager, OTHER_BRAND_ID, userCode)).rejects.toThrow(ForbiddenError)
  })

  it('needs a Brand that offers delegation', async () => {
    const admin = { ...manager, providerRole: 'admin' as const }
    expect(await startLoginTest(admin, OTHER_BRAND_ID)).toBeUndefined()
  })
})
