import { beforeAll, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { listAudit } from '#lib/access/list-audit.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { viewerOf } from '#lib/access/sessions.ts'
import { listConversations } from '#lib/conversations/list-conversations.ts'
import { listGrants } from '#lib/delegation/list-grants.ts'
import { listReceipts } from '#lib/delegation/list-receipts.ts'
import { config } from '#lib/platform/config.ts'
import { prisma } from '#lib/platform/database.ts'
import { stockBrand, stockConsole } from './console-stock.ts'

databaseOfThisFile()

const stock = {
  brands: 20,
  personalAgents: 5,
  conversations: 200,
  messages: 1_000,
  grants: 100,
  receipts: 300,
  auditEvents: 50,
  users: 30,
  hours: 3,
}

let admin: Viewer
let ofOne: Viewer
let ofFew: Viewer
let ofMany: Viewer

beforeAll(async () => {
  const people = await stockConsole(config().databaseUrl ?? '', stock)
  const viewerWith = async (brands: number) =>
    viewerOf(
      await prisma().consoleUser.findUniqueOrThrow({
        where: { id: people.get(brands) ?? '' },
        include: { memberships: true },
      }),
    )
  admin = await viewerWith(0)
  ofOne = await viewerWith(1)
  ofFew = await viewerWith(15)
  ofMany = await viewerWith(600)
}, 60_000)

it('what the console is measured with is what its lists read', async () => {
  for (const list of [listConversations, listGrants, listReceipts]) {
    const all = (await list(admin, {})).rows
    expect(all).toHaveLength(50)
    // Few Brands are read one by one, many together: what they show is the same.
    expect((await list(ofMany, {})).rows.map(({ id }) => id)).toEqual(all.map(({ id }) => id))
    const seen = (await list(ofFew, {})).rows.map(({ id }) => id)
    const expected = all.filter(({ brand }) => brand.id < stockBrand(15)).map(({ id }) => id)
    expect(seen.slice(0, expected.length)).toEqual(expected)
    const own = (await list(ofOne, {})).rows
    expect(new Set(own.map(({ brand }) => brand.id))).toEqual(new Set([stockBrand(0)]))
  }
  expect(await prisma().message.count()).toBe(stock.messages)
})

it('grants by their state are those of the viewer’s Brands', async () => {
  for (const state of ['live', 'expired', 'revoked'] as const) {
    const all = (await listGrants(admin, { state }, { limit: stock.grants })).rows
    expect(all.length).toBeGreaterThan(0)
    expect(all.every((grant) => grant.state === state)).toBe(true)
    const idsOf = async (viewer: Viewer) =>
      (await listGrants(viewer, { state }, { limit: stock.grants })).rows.map(({ id }) => id)
    const below = (brands: number) =>
      all.filter(({ brand }) => brand.id < stockBrand(brands)).map(({ id }) => id)
    expect(await idsOf(ofOne)).toEqual(below(1))
    expect(await idsOf(ofFew)).toEqual(below(15))
    expect(await idsOf(ofMany)).toEqual(all.map(({ id }) => id))
  }
})

it('events of the audit log by their action are those of the viewer’s Brands', async () => {
  for (const filter of [{}, { action: 'key.rotate' }]) {
    const all = (await listAudit(admin, filter)).rows
    const idsBelow = (brands: number) =>
      all.filter(({ brandId }) => brandId !== null && brandId < stockBrand(brands)).map(({ id }) => id)
    expect(idsBelow(15).length).toBeGreaterThan(0)
    for (const [viewer, brands] of [
      [ofOne, 1],
      [ofFew, 15],
      [ofMany, 600],
    ] as const) {
      expect((await listAudit(viewer, filter)).rows.map(({ id }) => id)).toEqual(idsBelow(brands))
    }
  }
})
