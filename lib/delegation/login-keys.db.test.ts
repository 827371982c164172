import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandLogin, type TestBrandLogin } from '#e2e/harness/brand-login.ts'
import { buildDelegation, openDelegatingDatabase, provideDelegation } from '#e2e/harness/delegating-brand.ts'
import { type DocumentHost, startDocumentHost } from '#e2e/harness/document-host.ts'
import { OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { type Attention, listAttention } from '#lib/access/attention.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { prisma } from '#lib/platform/database.ts'
import { verifyAssertion } from './assertion.ts'
import { flushLoginKeys, testLoginKeys } from './login-keys.ts'

let database: Awaited<ReturnType<typeof openDelegatingDatabase>>
let login: TestBrandLogin
let host: DocumentHost

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
  host = await startDocumentHost()
  manager.brandRoles = new Map([[database.brandId, 'manager']])
})
afterAll(async () => {
  await host.close()
  await login.close()
  await database.close()
})
beforeEach(() => prisma().loginKeysLook.deleteMany())

/** Gives the Brand a login whose keys are to be at `path` of a host that has nothing there. */
async function moveKeys(path: string) {
  const settings = { ...login.settings, jwksUri: host.origin + path }
  await provideDelegation([], { ...buildDelegation(), login: settings })
  return database.brand()
}

async function failing(viewer = manager, brand?: string): Promise<Attention[]> {
  return (await listAttention(viewer, brand)).filter(({ kind }) => kind === 'login-keys-failing')
}

describe('a Brand’s login whose keys fail', () => {
  it('needs attention once somebody could not log in by them, until they work', async () => {
    const brand = await moveKeys('/gone.json')
    const { consentUrl } = authorizationServer(brand.id)
    const text = await login.sign(consentUrl, { claims: { user_code: 'BBBB-BBBB' } })
    expect(await verifyAssertion(text, brand)).toMatchObject({ ok: false, fault: 'unreachable' })
    await flushLoginKeys()
    const found = [{ kind: 'login-keys-failing', brandId: brand.id, fault: 'jwks_unreachable' }]
    expect(await failing()).toMatchObject(found)

    host.answer('/gone.json', await (await fetch(login.settings.jwksUri)).json())
    expect(await testLoginKeys(manager, brand)).toMatchObject({ ok: true })
    expect(await failing()).toEqual([])
  })

  it('needs attention once a test has failed, also where the keys are of no use', async () => {
    const brand = await moveKeys('/empty.json')
    host.answer('/empty.json', { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] })
    expect(await testLoginKeys(manager, brand)).toMatchObject({ ok: true })
    expect(await failing()).toMatchObject([{ fault: 'no_usable_key' }])
  })

  it('needs none when its keys are said to be elsewhere', async () => {
    await testLoginKeys(manager, await moveKeys('/never.json'))
    expect(await failing()).toHaveLength(1)
    await moveKeys('/elsewhere.json')
    expect(await failing()).toEqual([])
  })

  it('is shown and tested at that Brand alone', async () => {
    const brand = await moveKeys('/never.json')
    await testLoginKeys(manager, brand)
    const other: Viewer = { ...manager, brandRoles: new Map([[OTHER_BRAND_ID, 'manager']]) }
    expect(await failing(other)).toEqual([])
    await expect(testLoginKeys(other, brand)).rejects.toThrow(ForbiddenError)
    await expect(listAttention(other, brand.id)).rejects.toThrow(ForbiddenError)
  })
})
