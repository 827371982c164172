import { expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
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

it('what the console is measured with is what its lists read', async () => {
  const people = await stockConsole(config().databaseUrl ?? '', stock)
  const viewerWith = async (brands: number) =>
    viewerOf(
      await prisma().consoleUser.findUniqueOrThrow({
        where: { id: people.get(brands) ?? '' },
        include: { memberships: true },
      }),
    )
  const [admin, ofOne] = [await viewerWith(0), await viewerWith(1)]
  const [ofFew, ofMany] = [await viewerWith(15), await viewerWith(600)]
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
