import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { openAgentSecret, sealAgentSecret } from '#lib/agents/stored-secrets.ts'
import { config, setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, pool, prisma } from '#lib/platform/database.ts'
import { assertMasterKeyOpens } from './check-master-key.ts'
import { createFirstKey } from './first-key.ts'
import { forgetMasterKey, MasterKeyError } from './master-key.ts'
import { rewrapKeys } from './rewrap.ts'
import { SealError } from './sealing.ts'

const BRANDS = ['01KAA0B5V7S8Q0ZJ1M9T3X4WCR', '01KAA0B5V7N2E6Y4D8GH5RPKQF']
const oldKey = randomBytes(32)
const newKey = randomBytes(32)
const before = { ...config() }

let database: Awaited<ReturnType<typeof freshDatabase>>

function useMasterKeys(masterKey: Buffer | undefined, previousMasterKey?: Buffer): void {
  Object.assign(config(), { masterKey, previousMasterKey, masterKeyInDataDir: false })
  forgetMasterKey()
}

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
})

beforeEach(async () => {
  useMasterKeys(oldKey)
  await pool().query('TRUNCATE "Brand", "SigningKey" CASCADE')
  for (const id of BRANDS) {
    await prisma().brand.create({ data: { id, name: id, description: 'Sells.', agent: {} } })
    await createFirstKey(id)
  }
})

afterEach(() => {
  Object.assign(config(), { ...before, databaseUrl: database.url })
  forgetMasterKey()
})

afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

describe('a start', () => {
  it('passes with the master key under which keys are sealed, present or previous', async () => {
    await assertMasterKeyOpens()
    useMasterKeys(newKey, oldKey)
    await assertMasterKeyOpens()
  })

  it('is refused with another master key, in one line', async () => {
    useMasterKeys(newKey)
    await expect(assertMasterKeyOpens()).rejects.toThrow(SealError)
    await expect(assertMasterKeyOpens()).rejects.toThrow(
      /^The signing key .* is sealed under another master key.*$/,
    )
  })

  it('is refused without one, where keys are stored or a Brand has delegation', async () => {
    useMasterKeys(undefined)
    await expect(assertMasterKeyOpens()).rejects.toThrow(MasterKeyError)
    await pool().query('TRUNCATE "SigningKey" CASCADE')
    await assertMasterKeyOpens()
    await prisma().brand.updateMany({ data: { delegation: {} } })
    await expect(assertMasterKeyOpens()).rejects.toThrow(MasterKeyError)
  })
})

describe('a new master key', () => {
  it('takes over the secrets of agents too, and a start wants them opened', async () => {
    await pool().query('TRUNCATE "SigningKey"')
    const brandId = String(BRANDS[0])
    const sealed = await sealAgentSecret('sk-1', brandId, 'llm.apiKey')
    const origin = 'https://models.example'
    await prisma().agentSecret.create({ data: { brandId, name: 'llm.apiKey', origin, sealed } })
    useMasterKeys(newKey)
    await expect(assertMasterKeyOpens()).rejects.toThrow(SealError)
    expect(await rewrapKeys(oldKey)).toEqual({ rewrapped: 1, unchanged: 0 })
    await assertMasterKeyOpens()
    const stored = await prisma().agentSecret.findFirstOrThrow({ where: { brandId } })
    expect(await openAgentSecret(stored.sealed, brandId, 'llm.apiKey')).toBe('sk-1')
    await expect(openAgentSecret(stored.sealed, brandId, 'other')).rejects.toThrow(SealError)
    await expect(openAgentSecret(stored.sealed, String(BRANDS[1]), 'llm.apiKey')).rejects.toThrow(SealError)
  })

  it('takes over with the previous one at hand, once', async () => {
    useMasterKeys(newKey, oldKey)
    expect(await rewrapKeys()).toEqual({ rewrapped: 2, unchanged: 0 })
    expect(await rewrapKeys()).toEqual({ rewrapped: 0, unchanged: 2 })
    useMasterKeys(newKey)
    await assertMasterKeyOpens()
  })

  it('takes over with the previous one handed in', async () => {
    useMasterKeys(newKey)
    expect(await rewrapKeys(oldKey)).toEqual({ rewrapped: 2, unchanged: 0 })
    await assertMasterKeyOpens()
  })

  it('changes nothing when one key can’t be opened', async () => {
    const third = randomBytes(32)
    useMasterKeys(third)
    await pool().query('DELETE FROM "SigningKey" WHERE "brandId" = $1', [BRANDS[0]])
    await createFirstKey(String(BRANDS[0]))
    useMasterKeys(newKey, oldKey)
    await expect(rewrapKeys()).rejects.toThrow(SealError)
    useMasterKeys(oldKey, third)
    await assertMasterKeyOpens()
  })
})
