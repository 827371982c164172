import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { inspectState, pastTheEnd, roles, startTestConsole, type TestConsole } from './harness/console.ts'
import { type StoredReceipt, storeSignedReceipt } from './harness/console-receipts.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'

let test: TestConsole
let own: StoredReceipt
let foreign: StoredReceipt

beforeAll(async () => {
  test = await startTestConsole({
    provision: (agents) => buildOrderAgentProvision(agents, { api: 'http://127.0.0.1:9' }),
  })
  own = await storeSignedReceipt(test.url)
  foreign = await storeSignedReceipt(test.url, test.provider.otherBrandId)
})
afterAll(() => test.close())

const list = (page: Page, query = '') => page.goto(`${test.url}/admin/receipts${query}`)
const open = (page: Page, id: string) => page.goto(`${test.url}/admin/receipts/${id}`)
const rows = (page: Page) => page.locator('tbody tr')
const changed = (jws: string) => jws.replace(/\.[^.]*\./, (part) => part.replace(/.{6}\.$/, 'AAAAAA.'))

describe('receipts', () => {
  it('are listed, read and verified', async () => {
    const page = await test.openAs('admin')
    await list(page)
    await rows(page).first().waitFor()
    expect(await rows(page).count()).toBe(2)
    await list(page, pastTheEnd(own.id))
    await expect.poll(() => rows(page).count()).toBe(2)
    await open(page, own.id)
    await page.getByText('This receipt is genuine').waitFor()
    const link = page.getByRole('main').getByRole('link', { name: 'Verify a receipt' })
    expect(await link.getAttribute('href')).toBe('/verify')
    await page.context().close()
  })

  it('are filtered by the address alone, whatever stands in it', async () => {
    const page = await test.openAs('auditor')
    await list(page)
    await page.getByLabel('Tool').fill('cancel_order')
    await page.getByLabel('Permission').fill('orders:refund')
    await page.keyboard.press('Enter')
    await page.getByText('No receipt is like that').waitFor()
    expect(new URL(page.url()).searchParams.get('tool')).toBe('cancel_order')
    await page.getByRole('link', { name: 'Show all', exact: true }).click()
    await expect.poll(() => rows(page).count()).toBe(2)
    await list(page, '?before=x&after=y&brand=w&from=q&user=%00')
    await expect.poll(() => rows(page).count()).toBe(2)
    await page.context().close()
  })

  it('that were changed are not verified: the browser says at which step', async () => {
    const page = await test.openAs('viewer')
    const id = BigInt(own.id)
    await prisma().receipt.update({ where: { id }, data: { jws: own.jws.replace(/.{9}$/, 'AAAAAAAAA') } })
    await open(page, own.id)
    await page.getByText('This receipt can’t be verified').waitFor()
    const steps = page.getByRole('listitem').filter({ hasText: 'The signature is right' })
    await steps.getByRole('img', { name: 'Failed' }).waitFor()
    await prisma().receipt.update({ where: { id }, data: { jws: own.jws } })
    await page.reload()
    await page.getByText('This receipt is genuine').waitFor()
    await page.getByRole('link', { name: 'Open the conversation there' }).click()
    await page.waitForURL(new RegExp(`/admin/conversations/${own.conversationId}#message-`))
    await page.context().close()
  })

  it('of another Brand do not exist, for no role of a Brand, and in no export', async () => {
    for (const role of roles) {
      const page = await test.openAs(role)
      const provider = role === 'admin' || role === 'auditor'
      const [seesOwn, seesForeign] = [
        provider || role !== 'otherManager',
        provider || role === 'otherManager',
      ]
      expect((await open(page, own.id))?.status(), role).toBe(seesOwn ? 200 : 404)
      expect((await open(page, foreign.id))?.status(), role).toBe(seesForeign ? 200 : 404)
      const exported = `${test.url}/admin/receipts/export?format=jsonl`
      const file = await (await page.request.get(exported)).text()
      expect([file.includes(own.jws), file.includes(foreign.jws)], role).toEqual([seesOwn, seesForeign])
      const other = await page.request.get(`${exported}&brand=${test.provider.otherBrandId}`)
      expect(other.status(), role).toBe(seesForeign ? 200 : 404)
      await page.context().close()
    }
    const nobody = await test.open()
    const answer = await nobody.request.get(`${test.url}/admin/receipts/export`, { maxRedirects: 0 })
    expect([answer.status() >= 300, await answer.text()]).not.toContain(own.jws)
    await nobody.context().close()
  })

  it('are exported as they are filtered', async () => {
    const page = await test.openAs('manager')
    await list(page, `?tool=cancel_order`)
    const waiting = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Export CSV' }).click()
    const download = await waiting
    expect(download.suggestedFilename()).toMatch(/^receipts-\d{4}-\d\d-\d\d\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toMatch(/^id,issuedAt,brandId,/)
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(own.jws)
    const none = await page.request.get(`${test.url}/admin/receipts/export?format=jsonl&tool=none`)
    expect(await none.text()).toBe('')
    await page.context().close()
  })
})

describe('the public page', () => {
  it('says what a receipt proves', async () => {
    const page = await test.open()
    await page.goto(`${test.url}/verify`)
    await page.getByLabel('Receipt').fill(own.jws)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('This receipt is genuine').waitFor()
    await inspectState(page, 'verified')
    await page.context().close()
  })

  it('needs no scripts, and says why a receipt proves nothing', async () => {
    const context = await test.browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    const verify = async (text: string) => {
      await page.goto(`${test.url}/verify`)
      await page.getByLabel('Receipt').fill(text)
      await page.getByRole('button', { name: 'Verify' }).click()
    }
    await verify(JSON.stringify({ message: { metadata: { 'pact.receipt': { jws: own.jws } } } }))
    await page.getByText('This receipt is genuine').waitFor()
    await verify(changed(own.jws))
    await page.getByText('This receipt proves nothing').waitFor()
    await verify('x'.repeat(70_000))
    await page.getByText('A receipt has at most 65536 characters').waitFor()
    await verify('<script>alert(1)</script>')
    await page.getByText('it is not a compact JWS').waitFor()
    await context.close()
  })
})
