import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { pastTheEnd, startTestConsole, type TestConsole } from './harness/console.ts'
import { storeConversations, storeGrant, storeGrantWithHistory } from './harness/console-traffic.ts'

let test: TestConsole
let own: string
let foreign: string

beforeAll(async () => {
  test = await startTestConsole()
  own = await storeGrantWithHistory()
  await storeConversations(own)
  foreign = await storeGrant({ brandId: test.provider.otherBrandId, brandUserId: 'somebody' })
  await storeGrant({ expiresAt: new Date(Date.now() - 1_000), scopes: ['orders:read'] })
  for (let n = 0; n < 3; n++) await storeGrant({ brandUserId: `bulk-${n}`, scopes: ['bulk'] })
})
afterAll(() => test.close())

const list = (page: Page, query = '') => page.goto(`${test.url}/admin/grants${query}`)
const open = (page: Page, id: string) => page.goto(`${test.url}/admin/grants/${id}`)
const rows = (page: Page) => page.locator('tbody tr')
const buttons = (page: Page) => page.getByRole('button', { name: /^Revoke/ })

describe('grants', () => {
  it('are listed and read', async () => {
    const page = await test.openAs('admin')
    await list(page)
    expect(await rows(page).count()).toBe(6)
    await list(page, pastTheEnd(own))
    expect(await rows(page).count()).toBe(6)
    await open(page, own)
    await page.getByText('Let first use your Loom & Thread account?').waitFor()
    await page.context().close()
  })

  it('are filtered by the address alone', async () => {
    const page = await test.openAs('viewer')
    await list(page, '?state=expired')
    expect(await rows(page).count()).toBe(1)
    await list(page, '?scope=bulk')
    expect(await rows(page).count()).toBe(3)
    await page.getByLabel('User').fill('nobody')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No grant is like that').waitFor()
    await page.context().close()
  })

  it('tell their history, what the User was shown, what was never used, tokens and receipts', async () => {
    const page = await test.openAs('viewer')
    await list(page, '?scope=orders:cancel')
    await rows(page).getByRole('link').first().click()
    await page.getByText('Allowed by the User').waitFor()
    await page.getByText('Refund an order').waitFor()
    await page.getByText('WDJB-MJHT').waitFor()
    await page.getByText('Never used').waitFor()
    await page.getByText('2 tokens are known').waitFor()
    await page.getByText('lookup_orders, cancel_order').waitFor()
    expect(await page.locator('body').textContent()).toContain('user[U+202E]gnp.exe<script>')
    await page.context().close()
  })

  it('of another Brand do not exist, and only those who may revoke are offered it', async () => {
    const stranger = await test.openAs('otherManager')
    for (const id of [own, 'nonsense', '%00']) expect((await open(stranger, id))?.status()).toBe(404)
    expect((await list(stranger, `?brand=${test.provider.brandId}`))?.status()).toBe(404)
    expect((await open(stranger, foreign))?.status()).toBe(200)
    expect(await buttons(stranger).count()).toBe(1)
    await stranger.context().close()
    for (const role of ['viewer', 'auditor'] as const) {
      const page = await test.openAs(role)
      await list(page)
      expect(await buttons(page).count()).toBe(0)
      expect((await open(page, own))?.status()).toBe(200)
      expect(await buttons(page).count()).toBe(0)
      await page.context().close()
    }
  })

  it('are revoked, all that match, once their number was typed', async () => {
    const page = await test.openAs('manager')
    await list(page, '?scope=bulk')
    await page.getByRole('button', { name: 'Revoke all that match…' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('3 grants end at once').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Revoke them' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('3')
    await confirm.click()
    await page.getByText('3 grants were revoked.').waitFor()
    await expect.poll(() => rows(page).filter({ hasText: 'Revoked' }).count()).toBe(3)
    expect(await prisma().grant.count({ where: { revokedAt: null, brandId: test.provider.brandId } })).toBe(2)
    await page.context().close()
  })

  it('are revoked one by one, at once', async () => {
    const page = await test.openAs('manager')
    await open(page, own)
    await buttons(page).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('1 grant with 2 permissions ends at once').waitFor()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked in the console').waitFor()
    expect(await buttons(page).count()).toBe(0)
    const grant = await prisma().grant.findUniqueOrThrow({ where: { id: own } })
    expect(grant).toMatchObject({ revokedBy: 'console' })
    const events = await prisma().auditEvent.findMany({
      where: { action: { startsWith: 'grant.' } },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action }) => action)).toEqual(['grant.revoke-matching', 'grant.revoke'])
    await page.context().close()
  })
})
