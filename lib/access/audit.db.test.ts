import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { appendAudit, FIRST_HASH, hashLink } from './audit.ts'
import { noteExport } from './note-export.ts'
import { ForbiddenError } from './permissions.ts'

const actor = { kind: 'user', id: 'u', name: 'admin@provider.example', address: '192.0.2.1' } as const

function append(subject: string) {
  return prisma().$transaction((transaction) =>
    appendAudit(transaction, [
      { actor, action: 'brand.update', subject, before: { a: 1 }, after: { a: 2, b: null } },
    ]),
  )
}

beforeAll(async () => {
  setDatabaseUrl((await freshDatabase()).url)
})
afterAll(closeDatabase)

describe('the audit log', () => {
  it('chains what is appended at the same moment, without gaps', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, index) => append(`subject ${index}`)))
    const events = await prisma().auditEvent.findMany({ orderBy: { id: 'asc' } })
    expect(events.map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n])
    let previous: Uint8Array = FIRST_HASH
    for (const { hash, previousHash, ...link } of events) {
      expect(Buffer.from(previousHash)).toEqual(Buffer.from(previous))
      expect(hashLink(previousHash, link)).toEqual(Buffer.from(hash))
      previous = hash
    }
  })

  it('can be neither edited nor shortened', async () => {
    await append('another')
    const attempts = [
      prisma().auditEvent.updateMany({ data: { actor: 'nobody' } }),
      prisma().auditEvent.deleteMany({}),
      prisma().$executeRaw`TRUNCATE "AuditEvent"`,
    ]
    for (const attempt of attempts) await expect(attempt).rejects.toThrow(/append-only/)
  })

  it('says who took what away as a file, at the Brand that it is about', async () => {
    const brand = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
    const person = { userId: 'u', email: actor.name, name: null, providerRole: null }
    const manager = { ...person, brandRoles: new Map([[brand, 'manager' as const]]) }
    const permission = 'receipts.export'
    await noteExport(manager, actor, 'receipts', { permission, filter: { user: 'jane', format: 'csv' } })
    const admin = { ...person, providerRole: 'admin' as const, brandRoles: new Map() }
    await noteExport(admin, actor, 'audit', { permission: 'audit.read' })
    const last = await prisma().auditEvent.findMany({ orderBy: { id: 'desc' }, take: 2 })
    expect(last).toMatchObject([
      { action: 'audit.export', brandId: null },
      {
        action: 'receipts.export',
        brandId: brand,
        after: { user: 'jane', format: 'csv' },
        ...{ actor: actor.name },
      },
    ])
    const elsewhere = noteExport(manager, actor, 'receipts', { permission, brand: brand.replace('R', 'S') })
    await expect(elsewhere).rejects.toThrow(ForbiddenError)
  })
})
