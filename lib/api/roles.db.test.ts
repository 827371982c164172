import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callApi, startTestApi, type TestApi, tokenOf } from '#e2e/harness/api.ts'
import { type BrandThings, storeThings } from '#e2e/harness/console-things.ts'
import { addConsoleUser, roles } from '#e2e/harness/console-users.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { inviteMember } from '#lib/access/invitations.ts'
import { may, mayAnywhere, type Viewer } from '#lib/access/permissions.ts'
import { prisma } from '#lib/platform/database.ts'
import type { Operation } from './operation.ts'
import { operations } from './operations.ts'

type Things = BrandThings & { invitation: string; target: string }
type Caller = { name: string; viewer: Viewer; token: string }

let api: TestApi
let callers: Caller[]
let own: Things
let other: Things

async function allThings(brandId: string, member: 'manager' | 'otherManager'): Promise<Things> {
  const actor = { kind: 'user', name: 'somebody' } as const
  const { admin } = api.users
  const role = { brand: brandId, role: 'viewer' } as const
  // It also makes an event of the Brand's in the audit log.
  const invited = await inviteMember(admin.viewer, actor, { email: 'x@brand.example', roles: [role] })
  const things = await storeThings(brandId, member)
  const target = await addConsoleUser(`target-${brandId.toLowerCase()}@provider.example`, {
    brands: { [brandId]: 'viewer' },
  })
  return { ...things, invitation: invited.id, target }
}

beforeAll(async () => {
  api = await startTestApi()
  own = await allThings(BRAND_ID, 'manager')
  other = await allThings(OTHER_BRAND_ID, 'otherManager')
  const { admin, auditor } = api.users
  const narrow = async (name: string, viewer: Viewer, permissions?: string[], brandId?: string) => {
    const { token, id } = await tokenOf(viewer, {
      ...(permissions ? { permissions } : {}),
      ...(brandId ? { brandId } : {}),
    })
    const stored = await prisma().apiToken.findUniqueOrThrow({ where: { id } })
    const only = { permissions: stored.permissions, brandId: stored.brandId }
    return { name, token, viewer: { ...viewer, only } }
  }
  callers = [
    ...roles.map((role) => ({ name: role, ...api.users[role] })),
    await narrow('admin for one Brand', admin.viewer, undefined, BRAND_ID),
    await narrow('auditor for grants', auditor.viewer, ['grants.read', 'settings.read']),
  ]
}, 60_000)
afterAll(() => api.close())

const valuesOf = (things: Things): Record<string, string> => ({
  brandId: things.brand,
  personalAgentId: things.personalAgent,
  conversationId: things.conversation,
  grantId: things.grant,
  receiptId: things.receipt,
  eventId: things.auditEvent,
  kid: things.key,
  userId: things.target,
  invitationId: things.invitation,
  userCode: 'BCDF-GHJK',
  number: '1',
})

type Visit = { path: string; expected(viewer: Viewer): 'done' | 403 | 404 }

const allowedAt = (viewer: Viewer, { permission }: Operation, brandId: string) => {
  if (!mayAnywhere(viewer, permission)) return 403
  return may(viewer, permission, brandId) ? 'done' : 404
}

function visitsOf(operation: Operation): Visit[] {
  const { at, path, params, permission, query } = operation
  const filled = (things: Things) => path.replace(/\{(\w+)\}/g, (_, name) => valuesOf(things)[name] ?? '')
  if (at === 'provider')
    return [{ path: filled(own), expected: (viewer) => (may(viewer, permission) ? 'done' : 403) }]
  const ofBrands = (suffix: (brand: string) => string) =>
    [own, other].map((things) => ({
      path: filled(things) + suffix(things.brand),
      expected: (viewer: Viewer) => allowedAt(viewer, operation, things.brand),
    }))
  if (params) return ofBrands(() => '')
  const anywhere: Visit = { path, expected: (viewer) => (mayAnywhere(viewer, permission) ? 'done' : 403) }
  return [anywhere, ...(query && 'brand' in query.shape ? ofBrands((brand) => `?brand=${brand}`) : [])]
}

/** What somebody does to their own tokens is for another test. */
const walked = () => operations().filter(({ id }) => id !== 'revokeToken')

it('every operation is for those whom the permissions name, at their own Brands alone', async () => {
  const wrong: string[] = []
  for (const operation of walked()) {
    for (const { path, expected } of visitsOf(operation)) {
      await Promise.all(
        callers.map(async ({ name, viewer, token }) => {
          const { status, text } = await callApi(token, operation.method, path)
          const seen = [401, 403, 404].includes(status) || status >= 500 ? status : 'done'
          const wanted = expected(viewer)
          if (seen === wanted) return
          const about = `${operation.method} ${path} ${status} instead of ${wanted}`
          wrong.push(`${name}: ${about}: ${text.slice(0, 200)}`)
        }),
      )
    }
  }
  expect(wrong).toEqual([])
}, 120_000)

it('no operation answers without a token, with another’s secret, or a session’s cookie', async () => {
  const unknown = `pact_${randomBytes(32).toString('base64url')}`
  for (const operation of operations()) {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => valuesOf(own)[name] ?? 'x')
    for (const headers of [{ Authorization: '' }, { Authorization: '', Cookie: 'pact-session=x' }, {}]) {
      const { status, text, headers: answered } = await callApi(unknown, operation.method, path, { headers })
      expect(status, `${operation.method} ${path}`).toBe(401)
      expect(answered.get('WWW-Authenticate')).toBe('Bearer')
      expect(text).not.toContain('reason')
    }
  }
})

it('a token ends with its owner: disabled, or without the role', async () => {
  const { admin } = api.users
  const id = await addConsoleUser('leaver@provider.example', { brands: { [BRAND_ID]: 'manager' } })
  const viewer: Viewer = {
    ...admin.viewer,
    userId: id,
    providerRole: null,
    brandRoles: new Map([[BRAND_ID, 'manager']]),
  }
  const { token } = await tokenOf(viewer)
  const statusOf = async () => (await callApi(token, 'GET', `/brands/${BRAND_ID}`)).status
  expect(await statusOf()).toBe(200)
  await prisma().membership.deleteMany({ where: { userId: id } })
  expect(await statusOf()).toBe(403)
  await prisma().consoleUser.update({ where: { id }, data: { disabledAt: new Date() } })
  expect(await statusOf()).toBe(401)
})
