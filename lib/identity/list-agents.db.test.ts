import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { ForbiddenError, type Viewer } from '#lib/access/permissions.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { PAGE_SIZE } from '#lib/platform/keyset.ts'
import { countAgentUse, findAgentDetail, isFailing, listAgentRefusals } from './agent-detail.ts'
import { agentListSchema } from './agent-list-schema.ts'
import { listAgents } from './list-agents.ts'

const nobody = { userId: 'u', email: 'u@a.example', name: null, brandRoles: new Map() }
const auditor: Viewer = { ...nobody, providerRole: 'auditor' }
const manager: Viewer = { ...nobody, providerRole: null, brandRoles: new Map([['B', 'manager']]) }

let database: Awaited<ReturnType<typeof freshDatabase>>
let failingId: string

const list = (query: Record<string, unknown> = {}) => listAgents(auditor, agentListSchema.parse(query))
const namesIn = async (query: Record<string, unknown>) => (await list(query)).rows.map(({ name }) => name)

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  const row = (name: string, issuer: string, more: object = {}) => ({
    name,
    issuer,
    jwksUri: `${issuer}/keys`,
    ...more,
  })
  await prisma().personalAgent.createMany({
    data: [
      row('bee', 'https://bee.example'),
      row('Ant', 'https://ant.example/100%'),
      row('Cat', 'https://cat.example', { enabled: false }),
      row('dog.example', 'https://dog.example', { origin: 'discovered' }),
    ],
  })
  const failing = await prisma().personalAgent.findFirstOrThrow({ where: { name: 'bee' } })
  failingId = failing.id
  const refused = { hour: new Date(), personalAgentId: failing.id, count: 3n }
  await prisma().refusedRequests.createMany({
    data: [
      { ...refused, reason: 'jwks_unreachable' },
      { ...refused, reason: 'expired', count: 5n },
    ],
  })
})

afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

describe('the list of personal agents', () => {
  it('is ordered by name, whatever its case', async () => {
    expect(await namesIn({})).toEqual(['Ant', 'bee', 'Cat', 'dog.example'])
    expect(await namesIn({ sort: '-name' })).toEqual(['dog.example', 'Cat', 'bee', 'Ant'])
  })

  it.each([
    [{ q: 'AN' }, ['Ant']],
    [{ q: '100%' }, ['Ant']],
    [{ q: '%' }, ['Ant']],
    [{ q: 'cat.example' }, ['Cat']],
    [{ state: 'disabled' }, ['Cat']],
    [{ state: 'enabled', q: '.example' }, ['Ant', 'bee', 'dog.example']],
    [{ origin: 'discovered' }, ['dog.example']],
    [{ keys: 'failing' }, ['bee']],
    [{ q: 'no such' }, []],
  ])('is narrowed by %j', async (query, names) => {
    expect(await namesIn(query)).toEqual(names)
  })

  it.each([{ sort: 'x', state: 'x', origin: ['a'], keys: 1, before: 'x', after: '0', q: '\u0000' }])(
    'nonsense in its address counts as not said: %j',
    async (query) => {
      expect(await namesIn(query)).toHaveLength(4)
    },
  )

  it('is for the Provider’s own people alone', async () => {
    await expect(listAgents(manager, agentListSchema.parse({}))).rejects.toThrow(ForbiddenError)
    await expect(findAgentDetail(manager, failingId)).rejects.toThrow(ForbiddenError)
    await expect(countAgentUse(manager, failingId)).rejects.toThrow(ForbiddenError)
    await expect(isFailing(manager, failingId)).rejects.toThrow(ForbiddenError)
    await expect(listAgentRefusals(manager, failingId)).rejects.toThrow(ForbiddenError)
  })
})

describe('a personal agent’s page', () => {
  it('says what was refused, the most frequent first', async () => {
    expect(await isFailing(auditor, failingId)).toBe(true)
    expect(await listAgentRefusals(auditor, failingId)).toEqual([
      { reason: 'expired', count: 5 },
      { reason: 'jwks_unreachable', count: 3 },
    ])
  })

  it.each(['nonsense', '0193f2f0-0000-7000-8000-000000000001'])('%s is nobody', async (id) => {
    expect(await findAgentDetail(auditor, id)).toBeUndefined()
  })
})

describe('pages of the list', () => {
  const total = 2 * PAGE_SIZE + 4

  beforeAll(() =>
    prisma().personalAgent.createMany({
      data: Array.from({ length: 2 * PAGE_SIZE }, (_, index) => ({
        // Many of one name: the id tells them apart.
        name: index % 3 === 0 ? 'same' : `agent ${index}`,
        issuer: `https://pa-${index}.example`,
        jwksUri: 'https://keys.example',
      })),
    }),
  )

  it.each(['name', '-name', 'created', '-created'])('%s: forward and back shows each once', async (sort) => {
    const forward: string[] = []
    let page = await list({ sort })
    expect(page.before).toBeUndefined()
    for (;;) {
      forward.push(...page.rows.map(({ id }) => id))
      if (!page.after) break
      page = await list({ sort, after: page.after })
    }
    expect(new Set(forward).size).toBe(total)
    expect(forward).toHaveLength(total)

    let backward = page.rows.map(({ id }) => id)
    while (page.before) {
      page = await list({ sort, before: page.before })
      backward = [...page.rows.map(({ id }) => id), ...backward]
    }
    expect(backward).toEqual(forward)
  })

  it('an unknown row as the cursor is the beginning', async () => {
    const page = await list({ after: '0193f2f0-0000-7000-8000-000000000001' })
    expect(page.rows).toHaveLength(PAGE_SIZE)
  })
})
