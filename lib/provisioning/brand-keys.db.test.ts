import { beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { applyProvision } from './apply-provision.ts'
import { readProvision } from './read-provision.ts'

const BRAND = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
const login = {
  url: 'https://brand.example/login',
  issuer: 'https://brand.example',
  jwksUri: 'https://brand.example/keys',
}
const delegation = { login, scopes: [{ id: 'orders:read', description: 'Look up your orders' }] }

databaseOfThisFile()

beforeEach(() => pool().query('TRUNCATE "Brand", "SigningKey" CASCADE'))

function readBrand(more: object) {
  const brand = {
    id: BRAND,
    name: 'Brand',
    description: 'Sells.',
    agent: { driver: 'scripted', fallback: 'Hm.' },
  }
  const provider = { organization: 'Provider', audience: 'urn:example:provider' }
  const content = JSON.stringify({ provider, brands: [{ ...brand, ...more }] })
  return readProvision(content, { file: 'keys.yaml', allowLoopback: false })
}

function apply(more: object, dryRun = false) {
  const read = readBrand(more)
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return applyProvision(read.provision, { dryRun })
}

const keysOf = () => prisma().signingKey.findMany({ select: { id: true, brandId: true, state: true } })

describe('the signing keys of a Brand in the provision file', () => {
  it('are made with the Brand, when it has delegation, and only once', async () => {
    await apply({ delegation }, true)
    expect(await keysOf()).toEqual([])
    await apply({ delegation })
    const keys = await keysOf()
    expect(keys).toEqual([{ id: expect.any(String), brandId: BRAND, state: 'active' }])
    await apply({ delegation, name: 'Renamed' })
    expect(await keysOf()).toEqual(keys)
  })

  it('are made when it gets delegation, and stay when it gives that up', async () => {
    await apply({})
    expect(await keysOf()).toEqual([])
    await apply({ delegation })
    const keys = await keysOf()
    expect(keys).toHaveLength(1)
    await apply({})
    await apply({ delegation })
    expect(await keysOf()).toEqual(keys)
  })

  it('are made for a Brand whose bot is called, too', async () => {
    const agent = { driver: 'webhook', url: 'https://bot.example/turn' }
    await apply({ agent })
    const keys = await keysOf()
    expect(keys).toEqual([{ id: expect.any(String), brandId: BRAND, state: 'active' }])
    expect(await apply({ agent })).toEqual([])
    await apply({ agent: { ...agent, history: 'full' }, delegation })
    expect(await keysOf()).toEqual(keys)
    await pool().query('TRUNCATE "Brand", "SigningKey" CASCADE')
    await apply({})
    await apply({ agent })
    expect(await keysOf()).toHaveLength(1)
  })

  it('rotate as often as the file says', async () => {
    await apply({ delegation, keys: { rotateEveryDays: 90 } })
    expect(await apply({ delegation, keys: { rotateEveryDays: 90 } })).toEqual([])
    const fields = [{ field: 'rotateEveryDays', before: 90, after: null }]
    expect(await apply({ delegation })).toMatchObject([{ action: 'update', kind: 'brand', fields }])
  })

  it.each([
    [{ rotateEveryDays: 0 }, 'brands[0].keys.rotateEveryDays'],
    [{ rotateEveryDays: 'monthly' }, 'brands[0].keys.rotateEveryDays'],
    [{ rotate: 1 }, 'brands[0].keys.rotate'],
  ])('can’t be said to be %j', (keys, field) => {
    expect(readBrand({ delegation, keys })).toMatchObject({ ok: false, faults: [{ field }] })
  })
})
