import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { inspectState, startTestConsole, type TestConsole } from './harness/console.ts'
import { type StoredReceipt, storeSignedReceipt } from './harness/console-receipts.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'

let test: TestConsole
let receipt: StoredReceipt
let first: string

const active = async () =>
  (await prisma().signingKey.findFirstOrThrow({ where: { brandId: test.provider.brandId, state: 'active' } }))
    .id

beforeAll(async () => {
  test = await startTestConsole({
    provision: (agents) => buildOrderAgentProvision(agents, { api: 'http://127.0.0.1:9' }),
  })
  receipt = await storeSignedReceipt(test.url)
  first = await active()
})
afterAll(() => test.close())

const list = (page: Page, query = '') => page.goto(`${test.url}/admin/keys${query}`)
const ofBrand = (page: Page, brandId = test.provider.brandId) => list(page, `?brand=${brandId}`)
const openKey = (page: Page, kid: string) => page.goto(`${test.url}/admin/keys/${kid}`)

describe('signing keys', () => {
  it('are listed by Brand, over time and one by one', async () => {
    const page = await test.openAs('admin')
    await list(page)
    await page.getByRole('link', { name: 'Loom & Thread' }).waitFor()
    await ofBrand(page)
    await page.getByText('0 live tokens and 1 stored receipt').waitFor()
    await openKey(page, first)
    await page.getByRole('button', { name: 'Mark as compromised' }).click()
    await page.getByRole('alertdialog').waitFor()
    await inspectState(page, 'key-compromise')
    await page.context().close()
  })

  it('are rotated in order: published first, and in no hurry', async () => {
    const page = await test.openAs('manager')
    await ofBrand(page)
    await page.getByRole('button', { name: 'Rotate now' }).click()
    await page.getByRole('button', { name: 'Publish it' }).click()
    await page.getByText('The next key is published. It signs by itself from').waitFor()
    expect(await active()).toBe(first)
    await page.getByText('Published, so that everyone can know it.').waitFor()
    expect(await page.getByRole('region', { name: 'The key set as published' }).textContent()).toContain(
      first,
    )
    const next = await prisma().signingKey.findFirstOrThrow({ where: { state: 'next' } })
    await prisma().signingKey.update({
      where: { id: next.id },
      data: { createdAt: new Date(Date.now() - 400_000) },
    })
    await page.getByRole('button', { name: 'Rotate now' }).click()
    await page.getByRole('button', { name: 'Let it sign' }).click()
    await page.getByText('The new key signs now.').waitFor()
    expect(await active()).toBe(next.id)
    await page.context().close()
  })

  it('are rotated on a schedule, whose wrong values are told at the field', async () => {
    const page = await test.openAs('manager')
    await ofBrand(page)
    const field = page.getByLabel('Rotate every')
    await field.fill('soon')
    await page.getByRole('button', { name: 'Save schedule' }).click()
    await expect.poll(() => field.getAttribute('aria-invalid'), { timeout: 10_000 }).toBe('true')
    expect(await field.inputValue()).toBe('soon')
    await field.fill('30')
    await page.getByRole('button', { name: 'Save schedule' }).click()
    const where = { id: test.provider.brandId }
    const stored = async () => (await prisma().brand.findUniqueOrThrow({ where })).rotateEveryDays
    await expect.poll(stored, { timeout: 10_000 }).toBe(30)
    await page.context().close()
  })

  it('that are still needed are not removed', async () => {
    const page = await test.openAs('manager')
    await openKey(page, first)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('It is still needed').waitFor()
    await page.context().close()
  })

  it('that others may have are ended once the Brand’s name was typed, with what hangs on them said first', async () => {
    const page = await test.openAs('manager')
    await openKey(page, first)
    await page.getByRole('button', { name: 'Mark as compromised' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('0 live tokens and 1 stored receipt hang on it').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Mark as compromised' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Loom & Thread')
    await page.keyboard.press('Enter')
    await page.getByText('Verifies nothing any more').waitFor()
    // Every process has heard of it after a second.
    await page.waitForTimeout(1_000)
    await page.goto(`${test.url}/admin/receipts/${receipt.id}`)
    await page.getByText('This receipt can’t be verified').waitFor()
    await page.goto(`${test.url}/verify`)
    await page.getByLabel('Receipt').fill(receipt.jws)
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('was marked as compromised').waitFor()
    const events = await prisma().auditEvent.findMany({
      where: { action: { startsWith: 'signing-key.' } },
      orderBy: { id: 'asc' },
    })
    expect(events.map(({ action }) => action)).toEqual([
      'signing-key.publish',
      'signing-key.retire',
      'signing-key.activate',
      'signing-key.compromise',
    ])
    await page.context().close()
  })

  it('of another Brand do not exist; those who may only read are offered no change', async () => {
    const stranger = await test.openAs('otherManager')
    expect((await ofBrand(stranger))?.status()).toBe(404)
    expect((await openKey(stranger, first))?.status()).toBe(404)
    expect((await openKey(stranger, 'nonsense'))?.status()).toBe(404)
    await list(stranger)
    expect(await stranger.getByRole('link', { name: 'Loom & Thread' }).count()).toBe(0)
    await stranger.context().close()
    for (const role of ['viewer', 'auditor'] as const) {
      const page = await test.openAs(role)
      expect((await ofBrand(page))?.status(), role).toBe(200)
      expect(await page.getByRole('button', { name: /Rotate|Save schedule/ }).count()).toBe(0)
      await openKey(page, await active())
      expect(await page.getByRole('button', { name: /Retire|Remove|compromised/ }).count()).toBe(0)
      await page.context().close()
    }
  })
})
