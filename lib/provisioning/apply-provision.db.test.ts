import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { applyProvision, ProvisionError } from './apply-provision.ts'
import { readProvision } from './read-provision.ts'
import { type Provision, provisionSchema } from './schema.ts'

const LOOM = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const NORTHLIGHT = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
const TABLES = ['Provider', 'PersonalAgent', 'Brand', 'Skill', 'Scope', 'Tool', 'ConsoleUser', 'Membership']

let example: Provision

databaseOfThisFile()
beforeAll(async () => {
  const file = join(import.meta.dirname, '../../examples/provision-example.yaml')
  const read = readProvision(await readFile(file, 'utf8'), { file, allowLoopback: true })
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  example = read.provision
})

beforeEach(async () => {
  await pool().query(`TRUNCATE ${TABLES.map((table) => `"${table}"`).join(', ')} CASCADE`)
})

const apply = (provision: Provision, dryRun = false) => applyProvision(provision, { dryRun })

/** Every row with the transaction that wrote it last: it differs after any UPDATE, whatever the values. */
async function snapshot(): Promise<unknown> {
  const rows = TABLES.map(async (table) => {
    const found = await pool().query(`SELECT xmin::text, t.* FROM "${table}" t ORDER BY to_jsonb(t)::text`)
    return [table, found.rows]
  })
  return Object.fromEntries(await Promise.all(rows))
}

/** A copy of the example that a test may change. */
function changed(change: (copy: Provision) => void): Provision {
  const copy = structuredClone(example)
  change(copy)
  return copy
}

function brandOf(provision: Provision, index = 0) {
  const brand = provision.brands[index]
  if (!brand) throw new Error('no such Brand')
  return brand
}

function scripted({ agent }: Provision['brands'][number]) {
  if (agent.driver !== 'scripted') throw new Error('the agent is not scripted')
  return agent
}

function parse(content: unknown): Provision {
  return provisionSchema({ allowLoopback: true }).parse(content)
}

describe('applying the example', () => {
  it('opens the Provider’s own network to a Brand’s tools, and closes it', async () => {
    const isOpen = async () =>
      (await prisma().brand.findUniqueOrThrow({ where: { id: LOOM } })).privateNetworks
    const opened = changed((copy) => {
      brandOf(copy).privateNetworks = true
    })
    await apply(opened)
    expect(await isOpen()).toBe(true)
    await apply(example)
    expect(await isOpen()).toBe(false)
  })

  it('stores every part of it', async () => {
    const changes = await apply(example)
    expect(changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`)).toEqual([
      'create provider Example Provider',
      'create personal agent http://localhost:3100',
      `create brand Loom & Thread (${LOOM})`,
      'create skill Loom & Thread: orders',
      'create scope Loom & Thread: orders:read',
      'create scope Loom & Thread: orders:cancel',
      'create tool Loom & Thread: list_orders',
      'create tool Loom & Thread: cancel_order',
      'create check Loom & Thread: Lists orders once it may',
      `create brand Northlight Energy (${NORTHLIGHT})`,
      'create skill Northlight Energy: tariffs',
      'create console user manager@loomandthread.example',
    ])
    const brand = await prisma().brand.findUniqueOrThrow({
      where: { id: LOOM },
      include: { skills: true, scopes: true, tools: { orderBy: { position: 'asc' } }, memberships: true },
    })
    expect(brand).toMatchObject({
      domain: 'loomandthread.example',
      idleHours: 24,
      enabled: true,
      delegation: { grantDays: 90, login: { url: 'http://localhost:3200/login' } },
      agent: { driver: 'scripted', timeLimitSeconds: 20 },
      tools: [
        { name: 'list_orders', scopeId: 'orders:read', changes: false, arguments: null },
        { name: 'cancel_order', scopeId: 'orders:cancel', changes: true, request: { method: 'POST' } },
      ],
      memberships: [{ role: 'manager' }],
    })
    expect(brand.agent).not.toHaveProperty('tools')
  })

  it('writes nothing the second time', async () => {
    await apply(example)
    const before = await snapshot()
    expect(await apply(example)).toEqual([])
    expect(await snapshot()).toEqual(before)
  })

  it('writes nothing in a dry run, and says the same changes', async () => {
    const before = await snapshot()
    const announced = await apply(example, true)
    expect(await snapshot()).toEqual(before)
    expect(await apply(example)).toEqual(announced)
  })

  it('lets several appliers at one moment take turns', async () => {
    const results = await Promise.all([apply(example), apply(example), apply(example)])
    expect(results.map(({ length }) => length).sort((a, b) => a - b)).toEqual([0, 0, 12])
  })

  it('never mixes two files that are applied at one moment', async () => {
    await apply(example)
    const withSkill = (id: string) =>
      changed((copy) => {
        brandOf(copy).skills.push({ id, name: id, description: id, tags: [], examples: [] })
      })
    const ids = ['a', 'b', 'c', 'd']
    await Promise.all(ids.map((id) => apply(withSkill(id))))
    const skills = await prisma().skill.findMany({ where: { brandId: LOOM, id: { not: 'orders' } } })
    expect(skills).toHaveLength(1)
  })
})

describe('what the file does not say', () => {
  it('keeps `enabled` of personal agents and Brands', async () => {
    const silent = changed((copy) => {
      for (const each of [...copy.personalAgents, ...copy.brands]) delete each.enabled
    })
    await apply(silent)
    await prisma().personalAgent.updateMany({ data: { enabled: false } })
    await prisma().brand.updateMany({ data: { enabled: false } })
    expect(await apply(silent)).toEqual([])
    expect(await apply(example)).toEqual([
      {
        action: 'update',
        kind: 'personal agent',
        name: 'http://localhost:3100',
        fields: [{ field: 'enabled', before: false, after: true }],
      },
    ])
  })

  it('leaves personal agents, Brands, users and their roles elsewhere as they are', async () => {
    await apply(example)
    const email = 'manager@loomandthread.example'
    const part = parse({
      brands: [{ ...brandOf(example, 1) }],
      console: { users: [{ email, roles: [{ brand: NORTHLIGHT, role: 'viewer' }] }] },
    })
    expect(await apply(part)).toEqual([
      {
        action: 'update',
        kind: 'console user',
        name: email,
        fields: [{ field: `roles.brands.${NORTHLIGHT}`, before: undefined, after: 'viewer' }],
      },
    ])
    const user = await prisma().consoleUser.findUniqueOrThrow({
      where: { email },
      include: { memberships: { orderBy: { role: 'asc' } } },
    })
    expect(user.memberships.map(({ brandId, role }) => [brandId, role])).toEqual([
      [LOOM, 'manager'],
      [NORTHLIGHT, 'viewer'],
    ])
    expect(await prisma().personalAgent.count()).toBe(1)
    expect(await prisma().brand.count()).toBe(2)
  })

  it('needs a `provider` while none is stored', async () => {
    const failure = apply(changed((copy) => delete copy.provider))
    await expect(failure).rejects.toThrow('provider: is required: no Provider is stored yet')
    await expect(failure).rejects.toBeInstanceOf(ProvisionError)
    expect(await prisma().brand.count()).toBe(0)
  })
})

describe('what the file says anew', () => {
  it('makes skills, scopes and tools exactly the file’s', async () => {
    await apply(example)
    const shorter = changed((copy) => {
      const brand = brandOf(copy)
      brand.skills.unshift({
        id: 'returns',
        name: 'Returns',
        description: 'Sent back.',
        tags: [],
        examples: [],
      })
      brand.delegation?.scopes.pop()
      brand.agent.tools.pop()
      scripted(brand).rules.shift()
    })
    const changes = await apply(shorter)
    expect(changes.map(({ action, kind, name, fields }) => [action, kind, name, fields?.[0]?.field])).toEqual(
      [
        ['update', 'brand', `Loom & Thread (${LOOM})`, 'agent.rules'],
        ['create', 'skill', 'Loom & Thread: returns', undefined],
        ['update', 'skill', 'Loom & Thread: orders', 'position'],
        ['delete', 'scope', 'Loom & Thread: orders:cancel', undefined],
        ['delete', 'tool', 'Loom & Thread: cancel_order', undefined],
      ],
    )
    expect(await apply(shorter)).toEqual([])
  })

  it('names the innermost value that differs', async () => {
    await apply(example)
    const changes = await apply(
      changed((copy) => {
        const brand = brandOf(copy, 1)
        scripted(brand).fallback = 'Ask away.'
        brand.domain = 'northlight.example'
      }),
    )
    expect(changes).toEqual([
      {
        action: 'update',
        kind: 'brand',
        name: `Northlight Energy (${NORTHLIGHT})`,
        fields: [
          { field: 'domain', before: null, after: 'northlight.example' },
          { field: 'agent.fallback', before: 'Ask me about tariffs.', after: 'Ask away.' },
        ],
      },
    ])
  })

  it('registers a discovered personal agent (§3.1), and leaves it disabled', async () => {
    const issuer = 'http://localhost:3100'
    const discovered = { issuer, jwksUri: 'http://localhost:3100/keys', name: issuer }
    await prisma().personalAgent.create({ data: { ...discovered, origin: 'discovered', enabled: false } })
    const [, change] = await apply(
      changed((copy) => {
        for (const each of copy.personalAgents) delete each.enabled
      }),
    )
    expect(change?.fields?.map(({ field }) => field)).toEqual(['name', 'jwksUri', 'origin'])
    expect(await prisma().personalAgent.findUnique({ where: { issuer } })).toMatchObject({
      origin: 'registered',
      enabled: false,
    })
  })

  it('takes a role away, at the Provider and at a Brand', async () => {
    const withRoles = (roles: Provision['console']['users'][number]['roles']) =>
      changed((copy) => {
        copy.console.users = [{ email: 'a@example.com', roles }]
      })
    await apply(withRoles([{ provider: 'admin' }, { brand: LOOM, role: 'manager' }]))
    const changes = await apply(withRoles([{ brand: LOOM, role: 'viewer' }]))
    expect(changes).toMatchObject([
      {
        fields: [
          { field: 'roles.provider', before: 'admin', after: null },
          { field: `roles.brands.${LOOM}`, before: 'manager', after: 'viewer' },
        ],
      },
    ])
    expect(await apply(withRoles([{ brand: LOOM, role: 'viewer' }]))).toEqual([])
    const second = withRoles([{ brand: NORTHLIGHT, role: 'viewer' }])
    await apply(second)
    expect(await prisma().membership.findMany()).toMatchObject([{ brandId: NORTHLIGHT, role: 'viewer' }])
  })
})
