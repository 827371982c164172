import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBrandApi, type TestBrandApi } from '#e2e/harness/brand-api.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, buildTestProvision } from '#e2e/harness/provision.ts'
import { prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { applyProvision } from '#lib/provisioning/apply-provision.ts'
import { exportProvision } from '#lib/provisioning/export-provision.ts'
import { provisionSchema } from '#lib/provisioning/schema.ts'
import { noUsage, type SentCalls } from '../agent.ts'
import { callTool } from './call-tool.ts'
import { buildTool } from './tool.ts'

const SECRET = 'shop-key-8842'

databaseOfThisFile()
let api: TestBrandApi
beforeAll(async () => {
  api = await startBrandApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.calls.length = 0
  forgetConfirmation()
})

const stock = (origin: string, value?: string | null) => ({
  name: 'stock',
  description: 'Says what is in stock.',
  request: {
    method: 'GET' as const,
    url: `${origin}/stock`,
    header: { name: 'X-Api-Key', ...(value === undefined ? {} : { value }) },
  },
})

function apply(tool: object) {
  const { brands, ...rest } = buildTestProvision([])
  const agent = { driver: 'scripted', fallback: 'Hello.', tools: [tool] }
  const provision = { ...rest, brands: [{ ...brands[0], agent }] }
  return applyProvision(provisionSchema({ allowLoopback: true }).parse(provision), { dryRun: false })
}

function call(origin: string, brandId = BRAND_ID) {
  const tool = buildTool({ ...stock(origin), changes: false })
  return callTool(
    tool,
    {},
    {
      brandId,
      access: { brandUserId: 'jane', token: 'a.b.c' },
      idempotencyKey: 'k',
      signal: AbortSignal.timeout(2_000),
      until: performance.now() + 2_000,
      sent: new Set() as SentCalls,
      usage: noUsage(),
    },
  )
}

const shown = () => api.calls.map(({ headers }) => headers['x-api-key'])

describe('a tool that is for no User shows a header of its own', () => {
  it('with the value that is stored sealed and apart, and no delegation token', async () => {
    const changes = await apply(stock(api.origin, SECRET))
    expect(changes).toContainEqual(expect.objectContaining({ kind: 'secret', action: 'create' }))
    expect(await call(api.origin)).toEqual({ ok: true, value: {} })
    expect(shown()).toEqual([SECRET])
    expect(api.calls[0]?.headers.authorization).toBeUndefined()
    const [row] = await prisma().tool.findMany({ where: { brandId: BRAND_ID } })
    const written = JSON.stringify(
      [row, changes, await exportProvision(), await prisma().auditEvent.findMany()],
      (_, v) => (typeof v === 'bigint' ? String(v) : v),
    )
    expect(written).not.toContain(SECRET)
  })

  it('which stays where the file leaves it out: an exported Provider applied again changes nothing', async () => {
    await apply(stock(api.origin, SECRET))
    expect(await apply(stock(api.origin))).toEqual([])
    await call(api.origin)
    expect(shown()).toEqual([SECRET])
  })

  it('at the origin that it was given for, and at no other', async () => {
    await apply(stock(api.origin, SECRET))
    const other = await startBrandApi()
    const result = await call(other.origin)
    expect(result).toMatchObject({ ok: false, failure: { reason: 'credential', sent: false } })
    expect(other.calls).toEqual([])
    await expect(apply(stock(other.origin))).rejects.toThrow(/must be given again/)
    await other.close()
  })

  it('and no answer tells it', async () => {
    await apply(stock(api.origin, SECRET))
    api.answerWith(({ headers }) => ({ json: { you: [`sent ${headers['x-api-key']}`], stock: 3 } }))
    expect(await call(api.origin)).toEqual({ ok: true, value: { you: ['sent '], stock: 3 } })
    api.answerWith(({ headers }) => ({ status: 403, json: `no ${headers['x-api-key']}` }))
    expect(await call(api.origin)).toMatchObject({ ok: false, failure: { status: 403, body: 'no ' } })
    api.answerWith(() => ({ json: {} }))
  })

  it('and no other Brand’s', async () => {
    await apply(stock(api.origin, SECRET))
    const result = await call(api.origin, '01J0000000000000000000000Z')
    expect(result).toMatchObject({ ok: false, failure: { reason: 'credential', sent: false } })
    expect(shown()).toEqual([])
  })

  it('is not called once its value is taken away', async () => {
    await apply(stock(api.origin, SECRET))
    await apply(stock(api.origin, null))
    forgetConfirmation()
    expect(await call(api.origin)).toMatchObject({ ok: false, failure: { reason: 'credential' } })
    expect(api.calls).toEqual([])
  })
})
