import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteExport } from '#lib/access/note-export.ts'
import { prisma } from '#lib/platform/database.ts'
import { keepScreenshot } from './harness/browser.ts'
import { emailOf, lookAt, startTestConsole, type TestConsole, views } from './harness/console.ts'
import { addressOf, pageRules } from './harness/console-pages.ts'
import { storeSignedReceipt } from './harness/console-receipts.ts'
import type { BrandThings } from './harness/console-things.ts'
import { storeConversations, storeGrantWithHistory, storeTraffic } from './harness/console-traffic.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import {
  collectErrors,
  findOverhang,
  findUnreachable,
  findViolations,
  sumScripts,
} from './harness/page-checks.ts'
import { BRAND_ID } from './harness/provision.ts'

/** The most script that a page may load on its first view, compressed, in bytes. */
const MOST_SCRIPT = 250_000

let console: TestConsole
let things: Partial<BrandThings>
let admin: Page
let guest: Page

beforeAll(async () => {
  console = await startTestConsole({
    provision: (agents) => buildOrderAgentProvision(agents, { api: 'http://127.0.0.1:9' }),
  })
  const { brandId, personalAgent } = console.provider
  const grant = await storeGrantWithHistory()
  const conversation = (await storeConversations(grant)).own
  const receipt = (await storeSignedReceipt(console.url)).id
  const agent = await prisma().personalAgent.findUniqueOrThrow({ where: { issuer: personalAgent.issuer } })
  await storeTraffic(agent.id)
  const key = await prisma().signingKey.findFirstOrThrow({ where: { brandId } })
  const member = await prisma().consoleUser.findUniqueOrThrow({ where: { email: emailOf('manager') } })
  const viewer = { userId: member.id, email: member.email, name: null, brandRoles: new Map() }
  await noteExport(
    { ...viewer, providerRole: 'admin' },
    { kind: 'user', id: member.id, name: member.email, address: '192.0.2.1' },
    'receipts',
    { permission: 'receipts.export', brand: brandId, filter: { user: 'jane-4471', format: 'csv' } },
  )
  const event = await prisma().auditEvent.findFirstOrThrow({ orderBy: { id: 'desc' } })
  things = {
    brand: brandId,
    auditEvent: String(event.id),
    conversation,
    grant,
    receipt,
    key: key.id,
    member: member.id,
    personalAgent: agent.id,
  }
  admin = await console.openAs('admin')
  guest = await console.open()
})
afterAll(() => console?.close())

const files = Object.keys(pageRules).filter(
  (file) => file.startsWith('(console)/') && file.endsWith('page.tsx'),
)

/** Pages for everybody. */
const publicPages: Readonly<Record<string, string>> = {
  start: '/',
  verify: '/verify',
  'sign-in': '/admin/sign-in',
  'invitation-gone': '/admin/sign-in/invitation?token=none',
}

/** What else is worth a look: pages of one Brand, and of nothing. */
const others: Readonly<Record<string, string>> = {
  'keys-brand': `/admin/keys?brand=${BRAND_ID}`,
  'home-brand': `/admin?brand=${BRAND_ID}`,
  'usage-month': '/admin/usage?span=30d',
  'agent-model': `/admin/brands/${BRAND_ID}/agent?driver=llm`,
  'audit-nothing': '/admin/audit?actor=nobody',
  'conversations-nothing': '/admin/conversations?user=nobody',
  'not-found': '/admin/nothing-here',
}

function nameOf(file: string): string {
  const words = file.replace('(console)/', '').replace('page.tsx', '').replaceAll(/[[\]]/g, '').split('/')
  return words.filter(Boolean).join('-') || 'home'
}

/** Pages which between them show each kind of thing: they are looked at in every view. */
const everywhere = new Set([
  'home',
  'brands-id',
  'brands-id-agent',
  'grants-id',
  'keys',
  'receipts',
  'sign-in',
])

async function sweep(page: Page, name: string, address: string): Promise<void> {
  const errors = collectErrors(page)
  const [first, , , last] = views
  await lookAt(page, first)
  await page.goto(console.url + address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  const wrong: string[] = []
  // Each size and each theme once; what both decide about together is seen on a few pages.
  for (const view of everywhere.has(name) ? views : [first, last]) {
    await lookAt(page, view)
    await keepScreenshot(page, `sweep-${name}-${view.width}-${view.colorScheme}`)
    if ((await findOverhang(page)) > 0) wrong.push(`scrolls sideways at ${view.width}`)
    for (const violation of await findViolations(page)) {
      wrong.push(`${view.width} ${view.colorScheme}: ${violation}`)
    }
  }
  for (const html of await findUnreachable(page)) wrong.push(`not reached by the keyboard: ${html}`)
  const script = await sumScripts(page)
  if (script > MOST_SCRIPT) wrong.push(`${script} bytes of script`)
  // What is not there is an error to the browser too.
  wrong.push(...errors.filter((error) => name !== 'not-found' || !error.includes('404')))
  expect(wrong).toEqual([])
}

describe('every page', () => {
  it.each(files)('%s', async (file) => {
    const rule = pageRules[file]
    const thing = rule && 'thing' in rule && rule.thing ? things[rule.thing] : undefined
    await sweep(admin, nameOf(file), addressOf(file, thing))
  })

  it.each(Object.entries(publicPages))('%s', (name, address) => sweep(guest, name, address))

  it.each(Object.entries(others))('%s', (name, address) => sweep(admin, name, address))
})

describe('the frame of every page', () => {
  it('leads anywhere by Ctrl-K and a part of a name, without a mouse', async () => {
    await admin.goto(`${console.url}/admin`)
    await admin.getByRole('button', { name: 'Search' }).waitFor()
    await admin.waitForLoadState('networkidle')
    await admin.keyboard.press('Control+k')
    await expect.poll(() => admin.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
    await admin.keyboard.type('refused')
    await admin.keyboard.press('Enter')
    await admin.waitForURL('**/admin/refusals')
    await admin.getByRole('heading', { level: 1, name: 'Refused requests' }).waitFor()
  })
})
