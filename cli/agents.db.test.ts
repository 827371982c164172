import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { freshDatabase } from '#e2e/harness/database.ts'
import { runPact } from '#e2e/harness/pact-command.ts'
import { BRAND_ID, buildTestProvision, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { newBrandId } from '#lib/brands/new-brand-id.ts'
import { setDatabaseUrl } from '#lib/platform/config.ts'
import { closeDatabase, prisma } from '#lib/platform/database.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { provisionSchema } from '#lib/provisioning/schema.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let database: Awaited<ReturnType<typeof freshDatabase>>

const pact = (...args: string[]) => runPact({ DATABASE_URL: database.url }, args)

const greets = { name: 'Greets', turns: [{ say: 'Hi', has: ['hello'] }] }
const deceives = { name: 'Says goodbye', turns: [{ say: 'What now?\u001b[2J', has: ['goodbye'] }] }

async function keepChecks(checks: readonly { name: string; turns: object[] }[]) {
  await prisma().agentCheck.deleteMany({ where: { brandId: BRAND_ID } })
  await prisma().agentCheck.createMany({
    data: checks.map(({ name, ...example }, position) => ({ brandId: BRAND_ID, name, position, example })),
  })
}

beforeAll(async () => {
  database = await freshDatabase()
  setDatabaseUrl(database.url)
  const provision = provisionSchema({ allowLoopback: true }).parse(buildTestProvision([]))
  const [brand, other] = provision.brands
  if (!brand || !other) throw new Error('no Brands')
  const agent = {
    driver: 'scripted' as const,
    rules: [],
    fallback: 'Hello there.',
    timeLimitSeconds: 20,
    tools: [],
    checks: [],
  }
  await applyProvision({ ...provision, brands: [{ ...brand, agent }, other] }, { dryRun: false })
})
afterAll(async () => {
  await closeDatabase()
  await database.drop()
})

describe('pact agent check', () => {
  it('ends with 0 where all checks pass, and says so of each', async () => {
    await keepChecks([greets])
    expect(await pact('agent', 'check', BRAND_ID)).toEqual({
      code: 0,
      out: 'passed  Greets\nAll 1 checks passed.\n',
      err: '',
    })
  })

  it('ends with 1 where one fails, and says what was said and what is wrong', async () => {
    await keepChecks([greets, deceives])
    expect(await pact('agent', 'check', BRAND_ID.toLowerCase())).toEqual({
      code: 1,
      out: 'passed  Greets\nFAILED  Says goodbye\n    What now?\\u{1b}[2J: the reply lacks “goodbye”\n',
      err: '1 of 2 checks failed.\n',
    })
  })

  it('prints JSON for programs, with the same exit codes', async () => {
    const failing = await pact('agent', 'check', BRAND_ID, '--json')
    expect(failing).toMatchObject({ code: 1, err: '1 of 2 checks failed.\n' })
    const results = JSON.parse(failing.out)
    expect(results).toMatchObject([
      { name: 'Greets', passed: true, turns: [{ say: 'Hi', faults: [], turn: { reply: 'Hello there.' } }] },
      { name: 'Says goodbye', passed: false },
    ])
    await keepChecks([greets])
    expect((await pact('agent', 'check', BRAND_ID, '--json')).code).toBe(0)
  })

  it('says where there is nothing to check, and where there is no such Brand', async () => {
    expect(await pact('agent', 'check', OTHER_BRAND_ID)).toEqual({
      code: 0,
      out: 'The Brand has no checks.\n',
      err: '',
    })
    const ids = ['01KAA0B5V7N2E6Y4D8GH5RPKQZ', '\u001b[2J']
    for (const id of ids) {
      const { code, out, err } = await pact('agent', 'check', id)
      expect([code, out]).toEqual([1, ''])
      expect(err).toMatch(/^There is no Brand with the id .+\.\n$/)
      expect(err).not.toContain('\u001b')
    }
  })
})

describe('pact apply', () => {
  it('runs the checks of an agent that it changes, and applies what fails them only where one insists', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pact-provider-'))
    const file = join(folder, 'brands.yaml')
    const text = `brands:
  - id: ${newBrandId()}
    name: Plain Coffee
    description: Beans.
    agent:
      driver: scripted
      fallback: Hello.
      checks:
        - { name: Parts, turns: [{ say: Hi, has: [goodbye] }] }
`
    await writeFile(file, text)
    const running = 'Running the check of Plain Coffee …\n'
    const err = [
      `${file}:9:11 brands[0].agent.checks[0]: “Parts” fails: at “Hi” the reply lacks “goodbye”`,
      'Nothing was applied. --despite-checks applies it though checks fail.\n',
    ].join('\n')
    expect(await pact('apply', file)).toEqual({ code: 1, out: running, err })
    expect(await pact('apply', file, '--despite-checks')).toMatchObject({ code: 0, err: '' })
    expect(await pact('apply', file)).toEqual({ code: 0, out: 'No changes.\n', err: '' })
    await rm(folder, { recursive: true })
  })
})
