import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { inspectState, startTestConsole, type TestConsole } from './harness/console.ts'
import { AUDIENCE } from './harness/provision.ts'

let console: TestConsole

beforeAll(async () => {
  console = await startTestConsole()
})
afterAll(() => console.close())

const stored = () => prisma().provider.findUniqueOrThrow({ where: { id: 1 } })

describe('the settings of the Provider', () => {
  it('are saved by an admin, who types another audience twice', async () => {
    const page = await console.openAs('admin')
    await page.goto(`${console.url}/admin/settings`)
    const save = page.getByRole('button', { name: 'Save settings' })
    const again = page.getByLabel('Type the new audience again')
    await expect.poll(() => again.isVisible()).toBe(false)
    await page.getByLabel('Keep the text of messages for days').fill('soon')
    await page.getByLabel('Name').fill('Newly named')
    await save.click()
    await page.getByText('must be a number').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Newly named')
    await page.getByLabel('Keep the text of messages for days').fill('30')
    await page.getByLabel('Audience', { exact: true }).fill('urn:example:other')
    await save.click()
    await page.getByText('2 personal agents will be refused').waitFor()
    expect((await stored()).audience).toBe(AUDIENCE)
    await again.fill('urn:example:other')
    await save.click()
    await page.getByText('The settings are saved.').waitFor()
    expect(await stored()).toMatchObject({ audience: 'urn:example:other', retentionDays: 30 })
    await page.getByLabel('Audience', { exact: true }).fill(AUDIENCE)
    await again.fill(AUDIENCE)
    await save.click()
    await expect.poll(async () => (await stored()).audience).toBe(AUDIENCE)
    await page.context().close()
  })

  it('tell the second of two people what the first has changed', async () => {
    const [mine, theirs] = [await console.openAs('admin'), await console.openAs('admin')]
    for (const page of [mine, theirs]) await page.goto(`${console.url}/admin/settings`)
    await theirs.getByLabel('Name').fill('Theirs')
    await theirs.getByRole('button', { name: 'Save settings' }).click()
    await theirs.getByText('The settings are saved.').waitFor()
    await mine.getByLabel('Name').fill('Mine')
    await mine.getByRole('button', { name: 'Save settings' }).click()
    const row = mine.getByRole('row', { name: /^Name/ })
    expect(await row.textContent()).toBe('NameMineTheirs')
    expect((await stored()).organization).toBe('Theirs')
    await mine.getByRole('button', { name: 'Keep mine' }).click()
    await mine.getByText('The settings are saved.').waitFor()
    expect((await stored()).organization).toBe('Mine')
    for (const page of [mine, theirs]) await page.context().close()
  })

  it('are looked at by an auditor, and are not there for Brand roles', async () => {
    const auditor = await console.openAs('auditor')
    await auditor.goto(`${console.url}/admin/settings`)
    await auditor.getByText('You can look at the settings.').waitFor()
    expect(await auditor.getByRole('button', { name: 'Save settings' }).count()).toBe(0)
    await auditor.context().close()
    const manager = await console.openAs('manager')
    expect((await manager.goto(`${console.url}/admin/settings`))?.status()).toBe(404)
    await manager.context().close()
  })

  it('ask for a changed audience twice', async () => {
    const page = await console.openAs('admin')
    await page.goto(`${console.url}/admin/settings`)
    await page.getByLabel('Audience', { exact: true }).fill('urn:example:changed')
    await page.getByLabel('Type the new audience again').waitFor()
    await inspectState(page, 'settings-audience')
    await page.context().close()
  })
})
