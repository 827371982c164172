import { createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBot, type TestBot } from '#e2e/harness/bot.ts'
import { databaseOfThisFile } from '#e2e/harness/database-of-this-file.ts'
import { BRAND_ID, buildTestProvision } from '#e2e/harness/provision.ts'
import { verifyCall } from '#examples/bot/verify-call.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { getVisibleBrand } from '#lib/brands/visible-brand.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { prisma } from '#lib/platform/database.ts'
import { saveAgentDraft } from './agent-drafts.ts'
import { applyProvision } from './apply-provision.ts'
import { checkPublishedAgent } from './check-published-agent.ts'
import { checkAgentDraft, publishAgent } from './publish-agent.ts'
import { provisionSchema } from './schema.ts'
import { tryAgent } from './try-agent.ts'

const manager: Viewer = {
  userId: '01900000-0000-7000-8000-000000000001',
  email: 'm@b.example',
  name: null,
  providerRole: null,
  brandRoles: new Map([[BRAND_ID, 'manager']]),
}
const editor = { viewer: manager, actor: { kind: 'user', name: manager.email } as const }

let bot: TestBot
databaseOfThisFile()
beforeAll(async () => {
  bot = await startBot()
  const provision = buildTestProvision([])
  const [brand] = provision.brands
  Object.assign(brand?.agent ?? {}, {
    checks: [{ name: 'Greets', turns: [{ say: 'Hi', has: ['Bot: Hi'] }] }],
  })
  await applyProvision(provisionSchema({ allowLoopback: true }).parse(provision), { dryRun: false })
  const draft = { driver: 'webhook', url: bot.url }
  expect(await saveAgentDraft(editor, { brandId: BRAND_ID, base: 1 }, () => draft)).toMatchObject({
    ok: true,
  })
})
afterAll(() => bot.close())
beforeEach(() => {
  bot.calls.length = 0
})

const turn = {
  text: 'Cancel my order',
  past: { turns: [], state: {} },
  user: { id: 'jane-4471', scopes: ['orders:cancel'] },
  answers: {},
}

const rehearsals = async () => {
  const events = await prisma().auditEvent.findMany({
    where: { action: 'agent.rehearse' },
    orderBy: { id: 'asc' },
  })
  return events.map(({ actor, brandId, after }) => ({ actor, brandId, after }))
}

async function expectRefused() {
  const [call] = bot.calls
  const signature = String(call?.headers['pact-signature'])
  expect(decodeProtectedHeader({ protected: signature.split('.')[0] as string }).typ).toBe(
    'pact-rehearsal+jws',
  )
  const signed = [
    signature,
    new Uint8Array(call?.body ?? []),
    bot.url,
    createLocalJWKSet(await publishedJwks(BRAND_ID)),
  ] as const
  await expect(verifyCall(...signed)).rejects.toThrow('not a call of ours')
  expect(await verifyCall(...signed, 'pact-rehearsal+jws')).toBe(call?.headers['idempotency-key'])
}

describe('a bot that somebody tries', () => {
  it('is called under a signature that proves no User’s wish, and the audit log says as whom', async () => {
    const before = await rehearsals()
    expect(await tryAgent(editor, BRAND_ID, turn)).toMatchObject({ reply: 'Bot: Cancel my order' })
    await expectRefused()
    expect((await rehearsals()).slice(before.length)).toEqual([
      {
        actor: manager.email,
        brandId: BRAND_ID,
        after: { bot: bot.url, by: 'try-it', brandUserId: 'jane-4471', scopes: ['orders:cancel'] },
      },
    ])
  })

  it('is called so by checks, too: from the editor, before publishing and by the operator', async () => {
    const before = await rehearsals()
    expect(await checkAgentDraft(editor, BRAND_ID)).toMatchObject([{ passed: true }])
    await expectRefused()
    bot.calls.length = 0
    const since = (await getVisibleBrand(manager, BRAND_ID)).version
    expect(await publishAgent(editor, { brandId: BRAND_ID, number: 2, since })).toMatchObject({ ok: true })
    await expectRefused()
    bot.calls.length = 0
    const operator = { kind: 'cli', name: 'pact agent check' } as const
    expect(await checkPublishedAgent(BRAND_ID, operator)).toMatchObject([{ passed: true }])
    await expectRefused()
    const after = { bot: bot.url, by: 'checks' }
    expect((await rehearsals()).slice(before.length)).toEqual([
      { actor: manager.email, brandId: BRAND_ID, after },
      { actor: manager.email, brandId: BRAND_ID, after },
      { actor: operator.name, brandId: BRAND_ID, after },
    ])
  })
})
