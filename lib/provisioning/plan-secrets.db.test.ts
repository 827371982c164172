import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, buildTestProvision } from '#e2e/harness/provision.ts'
import { findAgentSecret, listAgentSecrets } from '#lib/agents/stored-secrets.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { applyProvision } from './apply-provision.ts'
import { exportProvision } from './export-provision.ts'
import { readProvision } from './read-provision.ts'
import { provisionSchema } from './schema.ts'

const ENDPOINT = 'https://models.example/v1'
const KEY = 'sk-very-secret'

const llm = { driver: 'llm', endpoint: ENDPOINT, model: 'small', instructions: 'Help.' }

databaseOfThisFile()
beforeAll(async () => {
  await apply({ driver: 'scripted', fallback: 'Hello.' })
})
beforeEach(async () => {
  await pool().query('TRUNCATE "AgentSecret"')
})

function apply(agent: object) {
  const { brands, ...rest } = buildTestProvision([])
  const provision = { ...rest, brands: [{ ...brands[0], agent }] }
  return applyProvision(provisionSchema({ allowLoopback: true }).parse(provision), { dryRun: false })
}

const actions = async (agent: object) =>
  (await apply(agent)).flatMap(({ action, kind }) => (kind === 'secret' ? [action] : []))

function stored(url = ENDPOINT) {
  forgetConfirmation()
  return findAgentSecret(BRAND_ID, 'llm.apiKey', url)
}

describe('the key of a model’s endpoint', () => {
  it('is stored sealed and apart, and told to nobody', async () => {
    const changes = await apply({ ...llm, apiKey: KEY })
    expect(JSON.stringify(changes)).not.toContain(KEY)
    expect(await stored()).toBe(KEY)
    const everything = await pool().query(`
      SELECT (SELECT string_agg(b::text, '') FROM "Brand" b) || (SELECT string_agg(a::text, '') FROM "AuditEvent" a) AS "all"`)
    expect(everything.rows[0].all).not.toContain(KEY)
    const [row] = await prisma().agentSecret.findMany()
    expect(Buffer.from(row?.sealed ?? []).toString('latin1')).not.toContain(KEY)
    expect(await listAgentSecrets(BRAND_ID)).toEqual([
      { name: 'llm.apiKey', origin: 'https://models.example' },
    ])
  })

  it('changes once, is kept where it is left out, and goes with `null`', async () => {
    expect(await actions({ ...llm, apiKey: KEY })).toEqual(['create'])
    expect(await apply({ ...llm, apiKey: KEY })).toEqual([])
    expect(await apply(llm)).toEqual([])
    expect(await stored()).toBe(KEY)
    expect(await actions({ ...llm, apiKey: 'sk-2' })).toEqual(['update'])
    expect(await stored()).toBe('sk-2')
    expect(await actions({ ...llm, apiKey: null })).toEqual(['delete'])
    expect(await stored()).toBeUndefined()
    expect(await actions({ ...llm, apiKey: KEY })).toEqual(['create'])
    expect(await actions({ driver: 'scripted', fallback: 'Hello.' })).toEqual(['delete'])
  })

  it('is not exported, and what is exported changes nothing', async () => {
    await apply({ ...llm, apiKey: KEY })
    const text = await exportProvision()
    expect(text).not.toContain(KEY)
    const read = readProvision(text, { file: 'x.yaml', allowLoopback: true })
    if (!read.ok) throw new Error(JSON.stringify(read.faults))
    expect(await applyProvision(read.provision, { dryRun: false })).toEqual([])
    expect(await stored()).toBe(KEY)
  })

  it('goes to the origin that it was given for, and must be given again for another', async () => {
    await apply({ ...llm, apiKey: KEY })
    expect(await stored('https://models.example/other')).toBe(KEY)
    expect(await stored('https://thief.example/v1')).toBeUndefined()
    const moved = { ...llm, endpoint: 'https://thief.example/v1' }
    await expect(apply(moved)).rejects.toThrow(
      'brands[0].agent.apiKey: must be given again, or be null: the one that is stored is for https://models.example',
    )
    expect(await stored()).toBe(KEY)
    expect(await actions({ ...moved, apiKey: null })).toEqual(['delete'])
  })
})
