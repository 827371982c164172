import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBot, type TestBot } from '#e2e/harness/bot.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, buildTestProvision, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { applyChecked } from './apply-checked.ts'
import { provisionSchema } from './schema.ts'

const actor = { kind: 'cli', name: 'pact apply' } as const
const greets = { name: 'Greets', turns: [{ say: 'Hi', has: ['hello'] }] }

let bot: TestBot
databaseOfThisFile()
beforeAll(async () => {
  bot = await startBot()
})
afterAll(() => bot.close())
beforeEach(async () => {
  bot.calls.length = 0
  await pool().query('TRUNCATE "Brand" CASCADE')
})

/** The test Brands, the first of which has an agent of its own. */
function fileWith(agent: object) {
  const provision = buildTestProvision([])
  const [brand, other] = provision.brands
  const whole = { ...provision, brands: [other, { ...brand, agent }] }
  return provisionSchema({ allowLoopback: true }).parse(whole)
}

const saying = (fallback: string, checks: object[] = [greets]) =>
  fileWith({ driver: 'scripted', fallback, checks })

async function agentNow() {
  const brand = await prisma().brand.findUnique({ where: { id: BRAND_ID } })
  return brand?.agent as { driver?: string; fallback?: string } | undefined
}

const overridden = async () => {
  const events = await prisma().auditEvent.findMany({
    where: { action: 'agent.publish-despite-checks', brandId: BRAND_ID },
    orderBy: { id: 'asc' },
  })
  return events.map(({ actor: who, after }) => ({ who, after }))
}

const apply = (file: ReturnType<typeof saying>, more: { dryRun?: boolean; despiteChecks?: boolean } = {}) =>
  applyChecked(file, { dryRun: false, actor, ...more })

describe('a provision file', () => {
  it('makes an agent that passes its checks, and changes it', async () => {
    const before = await overridden()
    await apply(saying('Hello there.'))
    await apply(saying('Well, hello.'))
    expect(await agentNow()).toMatchObject({ fallback: 'Well, hello.' })
    expect(await overridden()).toEqual(before)
  })

  it('whose checks fail is not applied, and says which, where and why', async () => {
    const failing = {
      findings: [
        {
          path: ['brands', 1, 'agent', 'checks', 1],
          reason: '“Greets” fails: at “Hi” the reply lacks “hello”',
        },
      ],
      hint: expect.stringContaining('--despite-checks'),
    }
    const passes = { name: 'Answers', turns: [{ say: 'Hi', has: ['day'] }] }
    await expect(apply(saying('Good day.', [passes, greets]))).rejects.toMatchObject(failing)
    expect(await prisma().brand.count()).toBe(0)
    await apply(saying('Hello there.'))
    await expect(apply(saying('Good day.', [passes, greets]))).rejects.toMatchObject(failing)
    expect(await agentNow()).toMatchObject({ fallback: 'Hello there.' })
  })

  it('does not get past the checks that are stored by leaving them out', async () => {
    await apply(saying('Hello there.'))
    await expect(apply(saying('Good day.', []))).rejects.toMatchObject({
      findings: [{ path: ['brands', 1, 'agent'], reason: expect.stringContaining('“Greets” fails') }],
    })
    const before = await overridden()
    await apply(saying('Good day.', []), { despiteChecks: true })
    expect(await agentNow()).toMatchObject({ fallback: 'Good day.' })
    expect((await overridden()).slice(before.length)).toMatchObject([{ after: { failed: ['Greets'] } }])
    expect(await prisma().agentCheck.count()).toBe(0)
  })

  it('is judged anew where somebody changes the Brand while its checks run', async () => {
    await apply(saying('Hello there.'))
    let runs = 0
    const onChecks = () => {
      runs += 1
      if (runs === 1) void pool().query(`UPDATE "Brand" SET "updatedAt" = now() WHERE "id" = $1`, [BRAND_ID])
    }
    await applyChecked(saying('Oh, hello.'), { dryRun: false, actor, onChecks })
    expect(runs).toBe(2)
    expect(await agentNow()).toMatchObject({ fallback: 'Oh, hello.' })
  })

  it('asks nobody where it can’t be applied anyway, or is not wanted any more', async () => {
    await apply(saying('Hello there.'))
    const file = saying('Well, hello.')
    const [other, brand] = file.brands
    if (!other || !brand) throw new Error('no Brands')
    const onChecks = () => expect.unreachable('it runs its checks')
    const taken = { ...file, brands: [{ ...brand, domain: 'taken.example' }] }
    await prisma().brand.update({ where: { id: other.id }, data: { domain: 'taken.example' } })
    await expect(applyChecked(taken, { dryRun: false, actor, onChecks })).rejects.toThrow('taken.example')
    const signal = AbortSignal.abort()
    await expect(applyChecked(file, { dryRun: false, actor, onChecks, signal })).rejects.toThrow('aborted')
    expect(await agentNow()).toMatchObject({ fallback: 'Hello there.' })
  })

  it('is applied all the same where somebody wants that, and the audit log has which failed', async () => {
    const before = await overridden()
    await apply(saying('Good day.'), { despiteChecks: true })
    expect(await agentNow()).toMatchObject({ fallback: 'Good day.' })
    const noted = { who: 'pact apply', after: { failed: ['Greets'] } }
    expect((await overridden()).slice(before.length)).toEqual([noted])
  })

  it('runs no check of an agent that stays as it is, nor where nothing is to be changed', async () => {
    await apply(saying('Good day.'), { despiteChecks: true })
    const before = await overridden()
    await apply(saying('Good day.'))
    expect(await overridden()).toEqual(before)
    const changes = await apply(saying('Good evening.'), { dryRun: true })
    expect(changes).toMatchObject([{ kind: 'brand', action: 'update' }])
    expect(await agentNow()).toMatchObject({ fallback: 'Good day.' })
  })

  it('asks the bot of a Brand that is there, and says of one that is being made that it can’t be asked yet', async () => {
    const before = await overridden()
    const answers = { ...greets, turns: [{ say: 'Hi', has: ['Bot: Hi'] }] }
    await apply(fileWith({ driver: 'webhook', url: bot.url, checks: [greets] }))
    expect(bot.calls).toEqual([])
    const noted = { who: 'pact apply', after: { notRun: ['Greets'] } }
    expect((await overridden()).slice(before.length)).toEqual([noted])
    const changed = { driver: 'webhook', url: `${bot.url}/turns` }
    await expect(apply(fileWith({ ...changed, checks: [greets] }))).rejects.toThrow('“Greets” fails')
    await apply(fileWith({ ...changed, checks: [answers] }))
    expect(bot.calls).toHaveLength(2)
    expect(await prisma().brand.count({ where: { id: OTHER_BRAND_ID } })).toBe(1)
  })
})
