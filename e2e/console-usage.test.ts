import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pool, prisma } from '#lib/platform/database.ts'
import { startTestConsole, type TestConsole } from './harness/console.ts'
import { sumDays } from './harness/daily-sums.ts'

let console: TestConsole

async function count(brandId: string, counts: Record<string, number>) {
  const hour = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000)
  for (const [kind, counted] of Object.entries(counts)) {
    await prisma().trafficHour.create({
      data: { hour, brandId, personalAgentId: '', kind, count: counted, milliseconds: 1_500 },
    })
  }
  await pool().query(sumDays[0])
}

beforeAll(async () => {
  console = await startTestConsole()
})
afterAll(() => console.close())

describe('the usage pages', () => {
  it('say how to begin where nothing was used', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${console.url}/admin/brands/${console.provider.brandId}/usage?span=24h`)
    await page.getByText('No turn in the last 24 hours').waitFor()
    await page.getByRole('link', { name: 'Look further back' }).click()
    await page.getByText('No turn in the last 30 days').waitFor()
    await page.getByText('As soon as a personal agent talks to a Brand').waitFor()
    await page.context().close()
    const admin = await console.openAs('admin')
    await admin.goto(page.url())
    await admin.getByText('npm run demo').waitFor()
    await admin.context().close()
  })

  it('show every Brand in an order, and lead to one Brand’s figures', async () => {
    const { brandId, otherBrandId } = console.provider
    await count(otherBrandId, { message: 7, 'turn:100': 7, model_call: 900 })
    await count(brandId, {
      ...{ message: 40, 'turn:25': 40, error: 2, 'turn:more': 2, tool_call: 31, failed_tool_call: 3 },
      ...{ model_call: 50, input_token: 12_345, output_token: 678 },
    })
    const page = await console.openAs('auditor')
    await page.goto(`${console.url}/admin/usage`)
    const rows = page.getByRole('table', { name: 'By Brand' }).getByRole('row')
    expect(await rows.nth(1).textContent()).toContain('42')
    await page.getByRole('link', { name: 'Model calls', exact: true }).first().click()
    await page.waitForURL(/sort=-modelCalls/)
    await rows.nth(1).filter({ hasText: '900' }).waitFor()
    await rows.nth(2).getByRole('link').click()
    await page.waitForURL(`${console.url}/admin/brands/${brandId}/usage?span=7d`)
    const today = page.getByRole('table', { name: 'By the day (UTC)' }).getByRole('row').nth(1)
    await today.waitFor()
    const cells = await today.getByRole('cell').allTextContents()
    const figures = ['42', '2', '0', '25 ms', '25 ms', '501.5 s', '12,345', '678', '311.5 s', '3']
    expect(cells.slice(1).map((text, index) => text.endsWith(figures[index] ?? '?'))).not.toContain(false)
    expect(cells).toHaveLength(figures.length + 1)
    await page.context().close()
  })
})
