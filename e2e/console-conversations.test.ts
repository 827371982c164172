import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { pastTheEnd, startTestConsole, type TestConsole } from './harness/console.ts'
import { storeConversations, storeGrantWithHistory } from './harness/console-traffic.ts'

let test: TestConsole
let own: string
let foreign: string

beforeAll(async () => {
  test = await startTestConsole()
  const stored = await storeConversations(await storeGrantWithHistory())
  own = stored.own
  foreign = stored.foreign
})
afterAll(() => test.close())

const list = (page: Page, query = '') => page.goto(`${test.url}/admin/conversations${query}`)
const open = (page: Page, id: string) => page.goto(`${test.url}/admin/conversations/${id}`)
const rows = (page: Page) => page.locator('tbody tr')

describe('conversations', () => {
  it('are listed and read', async () => {
    const page = await test.openAs('admin')
    await list(page)
    expect(await rows(page).count()).toBe(2)
    await list(page, pastTheEnd(own))
    expect(await rows(page).count()).toBe(2)
    await open(page, own)
    await page.getByText('Sure, what is the order number?').waitFor()
    await page.context().close()
  })

  it('are filtered by the address alone', async () => {
    const page = await test.openAs('admin')
    await list(page, '?user=jane-4471')
    expect(await rows(page).count()).toBe(1)
    await page.getByLabel('State').selectOption('closed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No conversation is like that').waitFor()
    expect(new URL(page.url()).searchParams.get('state')).toBe('closed')
    await page.getByRole('link', { name: 'Show all', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await list(page, '?before=x&after=y&state=z&brand=w&from=q')
    expect(await rows(page).count()).toBe(2)
    await page.context().close()
  })

  it('show turns, step-ups, tools and what has no reply, with every character inert', async () => {
    const page = await test.openAs('viewer')
    await list(page)
    expect(await rows(page).count()).toBe(1)
    await rows(page).getByRole('link').first().click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await transcript.getByText('Permission was missing').first().waitFor()
    const asked = transcript.getByRole('listitem').filter({ hasText: 'The User was asked for:' })
    expect(await asked.count()).toBe(2)
    expect(await asked.nth(0).textContent()).toMatch(/orders:read.*There was no delegation token/)
    expect(await asked.nth(1).textContent()).toMatch(/orders:cancel.*Receipt/)
    await transcript.getByText('cancel_order').waitFor()
    await transcript.getByText('No reply was stored').waitFor()
    await transcript.getByText('Cancel A-88213 for user[U+202E]gnp.exe<script>').waitFor()
    await transcript.getByText('took 840 ms').first().waitFor()
    expect(await transcript.getByRole('link', { name: 'Receipt' }).count()).toBe(2)
    await page.context().close()
  })

  it('show a role for which they are masked how long each text is', async () => {
    const brand = { id: test.provider.brandId }
    await prisma().brand.update({ where: brand, data: { maskedFor: ['viewer'] } })
    const page = await test.openAs('viewer')
    const answer = await open(page, own)
    await page.getByText('The texts are masked').waitFor()
    await page.getByText('20 characters').waitFor()
    expect(await answer?.text()).not.toContain('Are you still there')
    await page.context().close()
    await prisma().brand.update({ where: brand, data: { maskedFor: [] } })
  })

  it('of another Brand do not exist, and only those who may close them are offered it', async () => {
    const stranger = await test.openAs('otherManager')
    expect((await open(stranger, own))?.status()).toBe(404)
    expect((await open(stranger, 'nonsense'))?.status()).toBe(404)
    expect((await list(stranger, `?brand=${test.provider.brandId}`))?.status()).toBe(404)
    expect((await open(stranger, foreign))?.status()).toBe(200)
    await stranger.context().close()
    for (const role of ['viewer', 'auditor'] as const) {
      const page = await test.openAs(role)
      expect((await open(page, own))?.status()).toBe(200)
      expect(await page.getByRole('button', { name: 'Close conversation' }).count()).toBe(0)
      await page.context().close()
    }
  })

  it('are closed once that was confirmed', async () => {
    const page = await test.openAs('manager')
    await open(page, own)
    await page.getByRole('button', { name: 'Close conversation' }).click()
    await page.keyboard.press('Escape')
    expect(await prisma().conversation.count({ where: { state: 'closed' } })).toBe(0)
    await page.getByRole('button', { name: 'Close conversation' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('1 conversation ends').waitFor()
    await dialog.getByRole('button', { name: 'Close conversation' }).click()
    await page.getByText('Closed in the console').waitFor()
    expect(await page.getByRole('button', { name: 'Close conversation' }).count()).toBe(0)
    expect(await prisma().auditEvent.count({ where: { action: 'conversation.close', subject: own } })).toBe(1)
    await page.context().close()
  })
})
