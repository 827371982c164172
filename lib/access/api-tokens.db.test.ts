import { beforeAll, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { type NewToken, newTokenSchema } from './api-token-schema.ts'
import { listOwnTokens, MOST_TOKENS, makeApiToken, revokeOwnToken, TooManyTokensError } from './api-tokens.ts'
import { findTokenCaller } from './find-api-token.ts'
import { changeProviderRole } from './member-edits.ts'
import { ForbiddenError, type Viewer } from './permissions.ts'
import { viewerOf } from './sessions.ts'

databaseOfThisFile()

const A = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const B = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const actor = { kind: 'user', name: 'someone@provider.example' } as const
let users = 0

async function addUser(providerRole: ProviderRole | null, brands: Record<string, BrandRole> = {}) {
  const email = `user${++users}@provider.example`
  const memberships = { create: Object.entries(brands).map(([brandId, role]) => ({ brandId, role })) }
  const data = { email, providerRole, passwordHash: 'x', memberships }
  return viewerOf(await prisma().consoleUser.create({ data, include: { memberships: true } }))
}

const make = (viewer: Viewer, settings: Partial<NewToken> = {}) =>
  makeApiToken(viewer, actor, { name: 'test', days: 7, permissions: ['grants.read'], ...settings })

beforeAll(async () => {
  for (const id of [A, B])
    await prisma().brand.create({ data: { id, name: id.slice(-4), description: 'd', agent: {} } })
})

it('a token is shown once, stored as its hash, and noted in the audit log', async () => {
  const viewer = await addUser('auditor')
  const { id, token, prefix } = await make(viewer)
  expect(token).toMatch(/^pact_[\w-]{43}$/)
  expect(token.startsWith(prefix)).toBe(true)
  const stored = await prisma().$queryRaw<unknown[]>`
    SELECT row_to_json(t)::text AS "text" FROM "ApiToken" t UNION ALL SELECT row_to_json(a)::text FROM "AuditEvent" a`
  expect(JSON.stringify(stored)).not.toContain(token.slice(prefix.length))
  const [entry] = await prisma().auditEvent.findMany({ where: { action: 'api-token.create' } })
  expect(entry).toMatchObject({ subject: 'test', after: { id, prefix, permissions: ['grants.read'] } })
})

it('nobody gives what they do not have, nor at a Brand that is not theirs', async () => {
  const manager = await addUser(null, { [A]: 'manager', [B]: 'viewer' })
  await make(manager, { permissions: ['grants.revoke'] })
  await make(manager, { permissions: ['grants.revoke'], brandId: A })
  const refused: Partial<NewToken>[] = [
    { permissions: ['grants.revoke'], brandId: B },
    { permissions: ['grants.read', 'settings.read'] },
    { brandId: '01KAA0B5V7S8Q0ZJ1M9T3X4WC0' },
  ]
  for (const settings of refused) await expect(make(manager, settings)).rejects.toThrow(ForbiddenError)
  const { token } = await make(manager, { permissions: ['api-tokens.write', 'grants.read'] })
  const caller = await findTokenCaller(token)
  if (!caller) throw new Error('no caller')
  await expect(make(caller.viewer)).rejects.toThrow(ForbiddenError)
  expect(newTokenSchema.safeParse({ name: 'n', days: 8, permissions: ['grants.read'] }).success).toBe(false)
  expect(newTokenSchema.safeParse({ name: 'n', days: 7, permissions: [] }).success).toBe(false)
})

it('an account that is raised takes no token along that it made before', async () => {
  const admin = await addUser('admin')
  const stale = await addUser(null, { [A]: 'manager' })
  const { token } = await make(stale)
  const change = { userId: stale.userId, from: null, to: 'auditor' } as const
  expect(await changeProviderRole(admin, actor, change)).toBe('done')
  expect(await findTokenCaller(token)).toBeUndefined()
  // As a request that was under way would.
  await expect(make(stale)).rejects.toThrow(ForbiddenError)
})

it('whoever must choose a password first, and whoever is disabled, has no token that works', async () => {
  const viewer = await addUser('auditor')
  const { token } = await make(viewer)
  const update = (data: object) => prisma().consoleUser.update({ where: { id: viewer.userId }, data })
  expect(await findTokenCaller(token)).toBeDefined()
  await update({ mustChangePassword: true })
  expect(await findTokenCaller(token)).toBeUndefined()
  await update({ mustChangePassword: false, disabledAt: new Date() })
  expect(await findTokenCaller(token)).toBeUndefined()
  await expect(make(viewer)).rejects.toThrow(ForbiddenError)
})

it('has a bound, also for those who ask at the same moment', async () => {
  const viewer = await addUser('auditor')
  const asked = await Promise.allSettled(Array.from({ length: MOST_TOKENS + 5 }, () => make(viewer)))
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(refused.map((each) => (each as PromiseRejectedResult).reason)).toEqual(
    Array.from({ length: 5 }, () => expect.any(TooManyTokensError)),
  )
  const [first] = await listOwnTokens(viewer)
  expect(await revokeOwnToken(viewer, actor, first?.id ?? '')).toBe(true)
  expect(await revokeOwnToken(viewer, actor, first?.id ?? '')).toBe(false)
  await make(viewer)
})
