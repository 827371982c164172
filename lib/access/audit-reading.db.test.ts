import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, pool, prisma } from '#lib/platform/database.ts'
import type { BrandRole, ProviderRole } from '#prisma/generated/client.ts'
import { type AuditEntry, appendAudit } from './audit.ts'
import { getAuditEvent, listAudit, listAuditActions, readAuditInBatches } from './list-audit.ts'
import { ForbiddenError, type Viewer } from './permissions.ts'
import { chainStart, verifyAudit } from './verify-audit.ts'

const LOOM = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const NORTH = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const COUNT = 120n

function viewerWith(providerRole: ProviderRole | null, brands: Record<string, BrandRole> = {}): Viewer {
  const brandRoles = new Map(Object.entries(brands))
  return { userId: 'u', email: 'u@provider.example', name: null, providerRole, brandRoles }
}
const auditor = viewerWith('auditor')
const manager = viewerWith(null, { [LOOM]: 'manager' })

/** Every third event concerns the Provider, the others one of two Brands. */
function entryOf(index: number): AuditEntry {
  const brandId = [undefined, LOOM, NORTH][index % 3]
  return {
    actor: { kind: 'user', name: index % 2 ? 'ann@provider.example' : 'ben@provider.example' },
    ...(brandId === undefined ? {} : { brandId }),
    action: index % 5 ? 'brand.update' : 'session.start',
    subject: `subject ${index}`,
    before: { index, text: 'ä"' },
    after: { index: index + 1.5, list: [1, null, { deep: true }] },
  }
}

async function tamper(sql: string, ...values: unknown[]): Promise<void> {
  const client = await pool().connect()
  try {
    // As somebody with the database's own password could.
    await client.query('ALTER TABLE "AuditEvent" DISABLE TRIGGER "append_only"')
    await client.query(sql, values)
    await client.query('ALTER TABLE "AuditEvent" ENABLE TRIGGER "append_only"')
  } finally {
    client.release()
  }
}

beforeAll(async () => {
  setDatabaseUrl((await freshDatabase()).url)
  const entries = Array.from({ length: Number(COUNT) }, (_, index) => entryOf(index))
  await prisma().$transaction((transaction) => appendAudit(transaction, entries), { timeout: 30_000 })
})
afterAll(closeDatabase)

describe('the list of the audit log', () => {
  it('goes through everything, the latest first, forth and back', async () => {
    const first = await listAudit(auditor, {})
    expect(first.rows.map(({ id }) => id)).toEqual(
      Array.from({ length: 50 }, (_, index) => COUNT - BigInt(index)),
    )
    expect(first.before).toBeUndefined()
    const second = await listAudit(auditor, {}, { after: BigInt(first.after ?? 0) })
    const third = await listAudit(auditor, {}, { after: BigInt(second.after ?? 0) })
    expect([third.rows.length, third.after]).toEqual([20, undefined])
    const back = await listAudit(auditor, {}, { before: BigInt(third.before ?? 0) })
    expect(back.rows.map(({ id }) => id)).toEqual(second.rows.map(({ id }) => id))
  })

  it('shows a Brand manager their own Brand’s events alone', async () => {
    const { rows } = await listAudit(manager, {})
    expect(rows).toHaveLength(40)
    expect(new Set(rows.map(({ brandId }) => brandId))).toEqual(new Set([LOOM]))
    await expect(listAudit(manager, { brand: NORTH })).rejects.toThrow(ForbiddenError)
    await expect(listAudit(viewerWith(null, { [LOOM]: 'viewer' }), {})).rejects.toThrow(ForbiddenError)
    await expect(getAuditEvent(manager, 3n)).rejects.toThrow(ForbiddenError)
    await expect(getAuditEvent(manager, 1n)).rejects.toThrow(ForbiddenError)
    await expect(getAuditEvent(manager, 9_999n)).rejects.toThrow(ForbiddenError)
    expect((await getAuditEvent(manager, 2n)).subject).toBe('subject 1')
  })

  it('is filtered by actor, action and time', async () => {
    const day = new Date(new Date().toISOString().slice(0, 10))
    const { rows } = await listAudit(auditor, { actor: 'ann@provider.example', action: 'session.start' })
    expect(rows.map(({ subject }) => subject).at(-1)).toBe('subject 5')
    expect(rows).toHaveLength(12)
    expect(
      (await listAudit(auditor, { brand: NORTH, until: new Date(day.getTime() - 86_400_000) })).rows,
    ).toEqual([])
    expect((await listAudit(auditor, { from: new Date(day.getTime() + 2 * 86_400_000) })).rows).toEqual([])
    expect((await listAudit(auditor, { brand: NORTH, from: day })).rows).toHaveLength(40)
    expect(await listAuditActions()).toEqual(['brand.update', 'session.start'])
  })

  it('is exported whole', async () => {
    const ids: bigint[] = []
    for await (const rows of readAuditInBatches(manager, {})) ids.push(...rows.map(({ id }) => id))
    expect(ids).toHaveLength(40)
    await expect(readAuditInBatches(manager, { brand: NORTH }).next()).rejects.toThrow(ForbiddenError)
  })
})

describe('the check of the chain', () => {
  it('goes through all of it, in parts too', async () => {
    expect(await verifyAudit()).toMatchObject({ broken: undefined, checked: 120, complete: true })
    const part = await verifyAudit(chainStart, 50)
    expect(part).toMatchObject({ checked: 50, complete: false, last: { id: 50n } })
    if (part.broken) throw new Error('broken')
    expect(await verifyAudit(part.last)).toMatchObject({ checked: 70, complete: true, last: { id: 120n } })
  })

  it('finds the first link that was changed, rehashed or taken out', async () => {
    await tamper(`DELETE FROM "AuditEvent" WHERE "id" = 100`)
    expect(await verifyAudit()).toEqual({ broken: { id: 100n, because: 'missing' }, checked: 99 })
    await tamper(`UPDATE "AuditEvent" SET "hash" = sha256('new') WHERE "id" = 80`)
    expect(await verifyAudit()).toEqual({ broken: { id: 80n, because: 'changed' }, checked: 79 })
    await tamper(`UPDATE "AuditEvent" SET "previousHash" = sha256('new') WHERE "id" = 70`)
    expect(await verifyAudit()).toEqual({ broken: { id: 70n, because: 'unlinked' }, checked: 69 })
    await tamper(`UPDATE "AuditEvent" SET "after" = '{"index": 41}' WHERE "id" = 41`)
    expect(await verifyAudit()).toEqual({ broken: { id: 41n, because: 'changed' }, checked: 40 })
    await tamper(`DELETE FROM "AuditEvent" WHERE "id" = 1`)
    expect(await verifyAudit()).toEqual({ broken: { id: 1n, because: 'missing' }, checked: 0 })
  })
})
