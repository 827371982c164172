import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listGrantChanges } from '#lib/delegation/grant-changes.ts'
import { newGrantId } from '#lib/delegation/opaque-codes.ts'
import { prisma } from '#lib/platform/database.ts'
import { startBrandLogin, type TestBrandLogin } from './harness/brand-login.ts'
import { inspectState, startTestConsole, type TestConsole, views } from './harness/console.ts'
import { buildDelegatingProvision, buildDelegation } from './harness/delegating-brand.ts'

let login: TestBrandLogin
let console: TestConsole
let brand: string
let otherBrand: string
/** A live grant of the first Brand, for what is counted. */
let grant: string

beforeAll(async () => {
  login = await startBrandLogin()
  const delegation = { ...buildDelegation(), login: login.settings }
  console = await startTestConsole({ provision: (agents) => buildDelegatingProvision(agents, delegation) })
  brand = `${console.url}/admin/brands/${console.provider.brandId}`
  otherBrand = `${console.url}/admin/brands/${console.provider.otherBrandId}`
  grant = await addGrant(['orders:read', 'orders:cancel'])
})

afterAll(async () => {
  await console?.close()
  await login?.close()
})

const saved = (page: Page) => page.getByText(/^Saved\./).first()
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

async function cardOf(id: string) {
  const response = await fetch(`${console.url}/a2a/${id}/.well-known/agent-card.json`)
  return response.status === 200 ? await response.json() : { status: response.status }
}

async function addGrant(scopes: string[]): Promise<string> {
  const id = newGrantId()
  const { issuer } = console.provider.personalAgent
  const agent = await prisma().personalAgent.findUniqueOrThrow({ where: { issuer } })
  const { brandId } = console.provider
  const expiresAt = new Date(Date.now() + 3_600_000)
  const parties = { brandId, personalAgentId: agent.id, subject: 'user-1', brandUserId: 'jane-4471' }
  await prisma().grant.create({ data: { id, ...parties, scopes, expiresAt } })
  return id
}

describe('Brands in the console', () => {
  it('a new one is made in one form, checked and previewed while one types, and answers at once', async () => {
    const page = await console.openAs('admin')
    await page.goto(`${console.url}/admin/brands`)
    await page.getByRole('link', { name: 'New Brand' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Plain Coffee')
    await page.getByLabel('Description').fill('Beans and how to brew them.')
    await page.locator('p', { hasText: 'Beans and how to brew them.' }).waitFor()
    await page.getByRole('button', { name: 'Add a skill' }).click()
    await page.getByLabel('Id', { exact: true }).fill('not an id')
    await page.getByText('must be letters, digits, ".", "_" or "-"').waitFor()
    // What nobody has touched is not complained of yet.
    expect(await page.getByText('must not be blank').count()).toBe(0)
    await page.getByRole('button', { name: 'Create Brand' }).click()
    await page.getByText('must not be blank').first().waitFor()
    expect(await page.getByLabel('Id', { exact: true }).inputValue()).toBe('not an id')
    await page.getByLabel('Id', { exact: true }).fill('brewing')
    await page.locator('[name="skills[0].name"]').fill('Brewing')
    await page.locator('[name="skills[0].description"]').fill('Grind, water, time.')
    await page.getByRole('button', { name: 'Create Brand' }).click()
    await page.getByRole('heading', { level: 1, name: 'Plain Coffee' }).waitFor()
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    expect(await cardOf(id)).toMatchObject({ name: 'Plain Coffee', skills: [{ id: 'brewing' }] })
    // Next asks for the page that a form leads to, with the session: it must find this server and no other.
    expect(console.provider.logLines.filter((line) => line.includes('redirect response'))).toEqual([])
  })

  it('skills are added, moved and removed from the keyboard, and the card follows', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${brand}/card`)
    await page.getByRole('button', { name: 'Add a skill' }).press('Enter')
    await page.keyboard.type('returns')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Returns')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Send things back.')
    await page.getByRole('button', { name: 'Move skill 2 up' }).press('Enter')
    await page.getByText('Moved to place 1 of 2.').waitFor()
    // The row keeps the focus where it can go on.
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Move skill 1 down',
    )
    await save(page)
    await saved(page).waitFor()
    const order = async () =>
      (await cardOf(console.provider.brandId)).skills.map(({ id }: { id: string }) => id)
    await expect.poll(order, { timeout: 3_000 }).toEqual(['returns', 'orders'])
    await page.getByRole('button', { name: 'Remove skill 1' }).press('Enter')
    await save(page)
    await expect.poll(order, { timeout: 3_000 }).toEqual(['orders'])
  })

  it('of two people who edit one Brand the second is told, and shown both', async () => {
    const [first, second] = [await console.openAs('admin'), await console.openAs('manager')]
    await Promise.all([first.goto(`${brand}/card`), second.goto(`${brand}/card`)])
    await first.getByLabel('Name', { exact: true }).first().fill('Loom and Thread')
    await save(first)
    await saved(first).waitFor()
    await second.getByLabel('Name', { exact: true }).first().fill('Loom, Thread')
    await save(second)
    const conflict = second.getByRole('alert').filter({ hasText: 'Somebody else changed this' })
    await conflict.getByText('Loom and Thread').waitFor()
    await conflict.getByText('Loom, Thread').waitFor()
    await conflict.getByRole('button', { name: 'Keep mine' }).click()
    await saved(second).waitFor()
    await expect.poll(async () => (await cardOf(console.provider.brandId)).name).toBe('Loom, Thread')
  })

  it('a scope in use keeps its id, and goes only once its grants were named', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${brand}/login`)
    const ids = page.getByLabel('Id', { exact: true })
    expect(await ids.nth(0).getAttribute('readonly')).not.toBeNull()
    expect(await ids.nth(2).getAttribute('readonly')).toBeNull()
    // A browser that does not care for that gets no further.
    await ids.nth(0).evaluate((input) => input.removeAttribute('readonly'))
    await ids.nth(0).fill('orders:look')
    await save(page)
    await page.getByText(/orders:read is in use \(live grants: 1\)/).waitFor()
    await ids.nth(0).fill('orders:read')
    await page.getByRole('button', { name: 'Remove scope 2' }).click()
    await page.getByText(/1 live grant has it and loses it at once/).waitFor()
    await page.getByRole('button', { name: 'Remove it' }).click()
    await save(page)
    await saved(page).waitFor()
    const scopes = async () => {
      const { securitySchemes } = await cardOf(console.provider.brandId)
      return Object.keys(securitySchemes.userDelegation.oauth2SecurityScheme.flows.deviceCode.scopes)
    }
    await expect.poll(scopes, { timeout: 3_000 }).toEqual(['orders:read', 'refunds:issue'])
  })

  it('the login is tried: its keys, and its round trip in a new window', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${brand}/login`)
    await page.getByRole('button', { name: 'Check the keys now' }).click()
    await page.getByText(/^1 key that can be used/).waitFor()
    await page.getByRole('button', { name: 'Try the round trip' }).click()
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('link', { name: 'Open the Brand’s login' }).click(),
    ])
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await opened.getByRole('heading', { name: 'The login was tried' }).waitFor()
    await page.getByText('Everything is right: Users can log in.').waitFor()
    expect(await page.getByRole('list', { name: 'The answer arrived' }).getByText('Right').count()).toBe(9)
    await inspectState(page, 'brands-login-tried')
    expect(await prisma().deviceAuthorization.count()).toBe(0)
  })

  it('the Provider’s network is opened by a Provider admin alone, whatever a form says', async () => {
    const id = console.provider.brandId
    const isOpen = async () => (await prisma().brand.findUniqueOrThrow({ where: { id } })).privateNetworks
    const box = (page: Page) => page.getByLabel('The agent’s tools may reach private networks')
    const asManager = await console.openAs('manager')
    await asManager.goto(`${brand}/limits`)
    expect(await box(asManager).isDisabled()).toBe(true)
    await box(asManager).evaluate((element: HTMLInputElement) => {
      element.disabled = false
      element.insertAdjacentHTML('afterend', '<input type="hidden" name="networks" value="offered">')
    })
    await box(asManager).check()
    await save(asManager)
    await asManager.getByText('can be changed by a Provider admin only').first().waitFor()
    expect(await isOpen()).toBe(false)
    await asManager.context().close()
    const asAdmin = await console.openAs('admin')
    await asAdmin.goto(`${brand}/limits`)
    await box(asAdmin).check()
    await save(asAdmin)
    await saved(asAdmin).waitFor()
    expect(await isOpen()).toBe(true)
    await box(asAdmin).uncheck()
    await save(asAdmin)
    await expect.poll(isOpen).toBe(false)
    await asAdmin.context().close()
  })

  it('limits are checked while one types, and stored', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${brand}/limits`)
    const retention = page.getByLabel('Message texts are deleted after, in days')
    await retention.fill('soon')
    await page.getByText('must be a number; it is text').waitFor()
    await retention.fill('90')
    await page.getByLabel('Brand viewers').check()
    await page.getByLabel('Offer streaming').check()
    await save(page)
    await saved(page).waitFor()
    const where = { id: console.provider.brandId }
    expect(await prisma().brand.findUnique({ where })).toMatchObject({
      retentionDays: 90,
      maskedFor: ['viewer'],
      streaming: true,
    })
  })

  it('on a phone the tab of the page that one is on is in sight', async () => {
    const page = await console.openAs('admin', views[0])
    await page.goto(`${brand}/domain`)
    const tab = page.getByRole('link', { name: 'Domain', exact: true })
    await expect.poll(async () => (await tab.boundingBox())?.x ?? -1).toBeGreaterThan(0)
    const { x, width } = (await tab.boundingBox()) ?? { x: 0, width: 1_000 }
    expect(x + width).toBeLessThan(views[0].width)
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
    await page.context().close()
  })

  it('the domain is stored and asked, and a taken one is refused', async () => {
    const page = await console.openAs('manager')
    await page.goto(`${brand}/domain`)
    await page.getByLabel('Domain').fill('loom.invalid')
    await save(page)
    await page.getByText('https://loom.invalid/.well-known/agent-card.json').first().waitFor()
    await page.getByRole('button', { name: 'Check it now' }).click()
    await page.getByText(/The domain could not be asked/).waitFor()
  })

  it('disabled it answers 404; archived its grants end, once its name was typed', async () => {
    const page = await console.openAs('admin')
    await page.goto(`${brand}/state`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page
      .getByRole('alertdialog')
      .getByText(/Live grants that can’t be used meanwhile: 1/)
      .waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await expect.poll(() => cardOf(console.provider.brandId), { timeout: 3_000 }).toEqual({ status: 404 })

    await page.getByRole('button', { name: 'Archive this Brand' }).click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Live grants that end for good: 1.').waitFor()
    await inspectState(page, 'brands-archive')
    const confirm = dialog.getByRole('button', { name: 'Archive it' })
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('Loom, Thread')
    await confirm.click()
    await page.getByText(/This Brand is archived/).waitFor()
    const live = await prisma().grant.findMany({
      where: { brandId: console.provider.brandId, revokedAt: null },
    })
    expect(live).toEqual([])
    const [last] = await listGrantChanges(console.provider.brandId, grant)
    expect(last).toMatchObject({ kind: 'revoked', by: 'console' })
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
  })
})

describe('who may what with Brands', () => {
  const status = async (page: Page, url: string) => (await page.goto(url))?.status()

  it.each([
    ['admin', 200, 200],
    ['auditor', 404, 200],
    ['manager', 404, 404],
    ['viewer', 404, 404],
  ] as const)('%s: making one %d, another Brand %d', async (role, making, other) => {
    const page = await console.openAs(role)
    expect(await status(page, `${console.url}/admin/brands/new`)).toBe(making)
    expect(await status(page, otherBrand)).toBe(other)
    expect(await status(page, `${otherBrand}/login`)).toBe(other)
    expect(await status(page, `${console.url}/admin/brands/01KAA0B5V7AAAAAAAAAAAAAAAA`)).toBe(404)
    expect(await status(page, `${console.url}/admin/brands/x`)).toBe(404)
    expect(await status(page, brand)).toBe(200)
  })

  it.each(['auditor', 'viewer'] as const)('%s reads everything and is offered no change', async (role) => {
    const page = await console.openAs(role)
    for (const part of ['card', 'login', 'limits', 'domain', 'state']) {
      await page.goto(`${brand}/${part}`)
      await page.getByText('You can look at this and change nothing.').waitFor()
      const main = page.getByRole('main')
      expect(
        await main.getByRole('button', { name: /Save|Add|Remove|Check|Try|Archive|Enable|Stop/ }).count(),
      ).toBe(0)
    }
  })

  it('a Brand’s people see only theirs in the list', async () => {
    const page = await console.openAs('otherManager')
    await page.goto(`${console.url}/admin/brands`)
    await page.getByRole('link', { name: 'Northlight Energy' }).waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    expect(await status(page, `${brand}/card`)).toBe(404)
    await page.goto(`${console.url}/admin/brands/${console.provider.otherBrandId}`)
    await page.getByText('What comes next').waitFor()
    // It runs where the product was installed from.
    expect(await page.getByText('npm run demo').count()).toBe(0)
  })
})
