import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pool } from '#lib/platform/database.ts'
import { inspectState, startTestConsole, type TestConsole } from './harness/console.ts'

let console: TestConsole

beforeAll(async () => {
  console = await startTestConsole()
})
afterAll(() => console.close())

/** What a role's own browser gets from a place of the console, without a page around it. */
async function download(role: 'admin' | 'auditor' | 'manager' | 'viewer' | 'otherManager', path: string) {
  const page = await console.openAs(role)
  const response = await page.request.get(`${console.url}${path}`)
  const answer = { status: response.status(), text: await response.text() }
  await page.context().close()
  return answer
}

describe('the audit log', () => {
  it('is read, filtered and exported by an auditor', async () => {
    const page = await console.openAs('auditor')
    await page.goto(`${console.url}/admin/audit`)
    await page.getByLabel('What', { exact: true }).selectOption('brand.create')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL(/action=brand.create/)
    const rows = page.getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    expect(await rows.nth(1).textContent()).toContain('pact apply')
    expect(await rows.nth(1).getByText('Added a Brand').getAttribute('title')).toBe('brand.create')
    const chosen = page.getByLabel('What', { exact: true }).locator('option:checked')
    expect(await chosen.textContent()).toBe('Added a Brand')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as JSON Lines' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('audit-log.jsonl')
    await rows.nth(1).getByRole('link').click()
    await page.getByRole('heading', { name: 'Before and after' }).waitFor()
    expect(await page.getByRole('row', { name: /^name/ }).textContent()).toContain('Northlight Energy')
    await page.context().close()
  })

  it('shows a Brand manager their own Brand alone, and a viewer nothing', async () => {
    const { brandId, otherBrandId } = console.provider
    const lines = (await download('manager', '/admin/audit/export?format=jsonl')).text.trim().split('\n')
    expect(lines.length).toBeGreaterThan(0)
    expect(new Set(lines.map((line) => JSON.parse(line).brandId))).toEqual(new Set([brandId]))
    for (const place of [
      `/admin/audit?brand=${otherBrandId}`,
      `/admin/audit/export?brand=${otherBrandId}`,
      '/admin/audit/1',
    ]) {
      expect((await download('manager', place)).status, place).toBe(404)
    }
    expect((await download('viewer', '/admin/audit')).status).toBe(404)
    const csv = (await download('auditor', '/admin/audit/export?action=provider.create')).text
    expect(csv.split('\r\n')[0]).toMatch(/^id,at,actorKind/)
    expect(csv.split('\r\n')).toHaveLength(3)
    const page = await console.openAs('manager')
    await page.goto(`${console.url}/admin/audit`)
    expect(await page.getByRole('button', { name: 'Check the chain' }).count()).toBe(0)
    await page.context().close()
  })

  it('says that its chain holds, and each event where it stands in it', async () => {
    const page = await console.openAs('admin')
    await page.goto(`${console.url}/admin/audit`)
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText('The chain holds').waitFor()
    await inspectState(page, 'audit-checked')
    await page.goto(`${console.url}/admin/audit/1`)
    await page.getByRole('heading', { name: 'Event 1' }).waitFor()
    await page.getByText('As the log calls it').waitFor()
    await page.getByText('provider.create', { exact: true }).waitFor()
    await page.context().close()
  })

  it('says where its chain is broken, in the console and in the CLI', async () => {
    expect(await console.provider.pact('audit', 'verify')).toContain('The audit log holds')
    await pool().query('ALTER TABLE "AuditEvent" DISABLE TRIGGER "append_only"')
    await pool().query(`UPDATE "AuditEvent" SET "actor" = 'nobody' WHERE "id" = 2`)
    const page = await console.openAs('admin')
    await page.goto(`${console.url}/admin/audit`)
    await page.getByRole('button', { name: 'Check the chain' }).click()
    await page.getByText('The chain is broken at event 2.').waitFor()
    await page.context().close()
    await expect(console.provider.pact('audit', 'verify')).rejects.toThrow(/broken at event 2: its content/)
  })
})
