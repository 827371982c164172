import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { startBrandApi, type TestBrandApi } from './harness/brand-api.ts'
import { startBrandLogin, type TestBrandLogin } from './harness/brand-login.ts'
import { inspectState, lookAt, startTestConsole, type TestConsole, views } from './harness/console.ts'
import { buildDelegatingProvision, buildDelegation } from './harness/delegating-brand.ts'

let login: TestBrandLogin
let api: TestBrandApi
let console: TestConsole
let agent: string

beforeAll(async () => {
  login = await startBrandLogin()
  api = await startBrandApi()
  const delegation = { ...buildDelegation(), login: login.settings }
  console = await startTestConsole({ provision: (agents) => buildDelegatingProvision(agents, delegation) })
  agent = `${console.url}/admin/brands/${console.provider.brandId}/agent`
})

afterAll(async () => {
  await console?.close()
  await api?.close()
  await login?.close()
})

const document = () => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: '/v1' }],
  paths: {
    '/orders/{number}': {
      get: {
        operationId: 'showOrder',
        summary: 'Shows an order',
        parameters: [{ name: 'number', in: 'path', required: true, schema: { type: 'string' } }],
        security: [{ oauth: ['orders:read'] }],
      },
    },
    '/orders': { post: { operationId: 'placeOrder' } },
    '/upload': { post: { requestBody: { content: { 'image/png': {} } } } },
  },
})

const versions = () =>
  prisma().agentVersion.findMany({
    where: { brandId: console.provider.brandId },
    orderBy: { number: 'desc' },
    select: { number: true, published: true },
  })

async function openAgent(part = '', role: 'manager' | 'viewer' | 'admin' = 'manager'): Promise<Page> {
  const page = await console.openAs(role)
  await page.goto(`${agent}${part}`)
  return page
}

/** What an attribute of the focused element says. */
const focused = (page: Page, attribute: string) =>
  page.evaluate((name) => globalThis.document.activeElement?.getAttribute(name), attribute)

describe('the editor of a Brand’s agent', () => {
  it('imports tools from the Brand’s OpenAPI document, each with its scope', async () => {
    api.answerWith(() => ({ json: document() }))
    const page = await openAgent('/tools/import')
    await page.getByLabel('Address of the document').fill(`${api.origin}/openapi.json`)
    await page.getByRole('button', { name: 'Read the document' }).click()
    await page.getByText('Shop: 3 operations').waitFor()
    await page.getByText('takes image/png, not JSON').waitFor()
    await page.getByLabel('Pick showOrder').check()
    expect(await page.getByLabel('Scope of showOrder').inputValue()).toBe('orders:read')
    await page.getByLabel('Pick placeOrder').check()
    await page.getByRole('button', { name: 'Add to the draft' }).click()
    await page.getByText('Choose the scope of: placeOrder.').waitFor()
    await inspectState(page, 'agent-document-read')
    await page.getByLabel('Pick placeOrder').uncheck()
    await page.getByRole('button', { name: 'Add to the draft' }).click()
    await page.waitForURL(`${agent}/tools`)
    await page.getByText(/Draft, version \d+/).waitFor()
    const names = await page
      .locator('input[name$="].name"]')
      .evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value))
    expect(names).toContain('showOrder')
    await page.context().close()
  })

  it('shows the request of a tool, and sends it only when that is asked', async () => {
    api.calls.length = 0
    api.answerWith(() => ({ json: { state: 'shipped' } }))
    const page = await openAgent('/tools')
    await page.getByLabel('Tool', { exact: true }).selectOption('showOrder')
    await page.locator('textarea[name=values]').fill('number: A-1')
    await page.getByLabel('Delegation token').fill('test.token.value')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('This would be sent.').waitFor()
    await page.getByText(`GET ${api.origin}/v1/orders/A-1`).waitFor()
    expect(api.calls).toEqual([])
    await page.getByLabel('Send it to the Brand’s API').check()
    await page.getByLabel('Delegation token').fill('test.token.value')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText(/Answered with status 200/).waitFor()
    expect(api.calls).toMatchObject([
      { path: '/v1/orders/A-1', headers: { authorization: 'Bearer test.token.value' } },
    ])
    expect(await page.content()).not.toContain('test.token.value')
    await page.context().close()
  })

  it('saves rules as a draft, which is tried beside them, and answers nobody', async () => {
    api.calls.length = 0
    const page = await openAgent()
    await page.getByRole('button', { name: 'Add a rule', exact: true }).click()
    const rules = page.locator('[data-row]:not([data-row] [data-row])')
    const rule = rules.last()
    await rule.getByLabel('Words', { exact: false }).first().fill('tryout')
    await rule.getByLabel('Answer', { exact: true }).fill('It is {{ order.state }}.')
    await rule.getByText('Calls, memory and more').click()
    await rule.getByRole('button', { name: 'Add a call' }).click()
    await rule.locator('summary').first().click()
    await rule.getByText('“tryout”').waitFor()
    expect(await rule.getByLabel('Answer', { exact: true }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Save draft' }).click()
    await rule.getByText('is required').waitFor()
    await expect.poll(() => focused(page, 'name')).toMatch(/^rules\[\d+\]\.call\[0\]\.tool$/)
    await rule.getByLabel('Tool', { exact: true }).selectOption('showOrder')
    const offered = rule.getByRole('button', { name: 'Add number (required)' })
    await offered.click()
    await expect.poll(() => focused(page, 'name')).toMatch(/\.arguments\[0\]\.value$/)
    await page.keyboard.type('A-1')
    expect(await offered.count()).toBe(0)
    expect(await rule.getByLabel('Name', { exact: true }).inputValue()).toBe('number')
    await rule.getByText('calls showOrder').waitFor()
    for (let moves = await rules.count(); moves > 1; moves--) {
      await page.getByRole('button', { name: `Move rule ${moves} up` }).click()
    }
    await expect.poll(() => focused(page, 'aria-label')).toBe('Move rule 1 down')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Rule 1: order.state').waitFor()
    await inspectState(page, 'agent-unset')
    await lookAt(page, views[2])
    const first = rules.first()
    await first.getByLabel('Its result is called').fill('order')
    await page.getByRole('button', { name: 'Save draft' }).click()
    await page.getByText('Rule 1: order.state').waitFor({ state: 'detached' })
    await page
      .getByText(/Saved as draft/)
      .first()
      .waitFor()
    await page.getByText('The User, and what the Brand’s API answers').click()
    await page.getByLabel('What the Brand’s API answers').fill('showOrder: { body: { state: shipped } }')
    await page.getByLabel('Message').fill('tryout')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('It is shipped.').first().waitFor()
    await page.getByText('What it did (2)').click()
    await page.getByText('rule 1 applied').waitFor()
    await page.getByText('called showOrder').waitFor()
    await page.getByText('Receipt that would result').first().click()
    await page.getByText('"orders:read"').first().waitFor()
    expect(api.calls).toEqual([])
    expect((await versions())[0]).toMatchObject({ published: false })
    await page.getByRole('link', { name: 'Make a check of this' }).click()
    await page.waitForURL(`${agent}/checks`)
    await page.getByText('A check was made of what you tried.').waitFor()
    const check = page.locator('[data-row]').last()
    expect(await check.getByLabel('Turns').inputValue()).toBe(
      '- say: tryout\n  calls:\n    - tool: showOrder\n      arguments:\n        number: A-1',
    )
    expect(await check.getByLabel('Name', { exact: true }).inputValue()).toBe('tryout')
    const allowed = await check.getByLabel('The User has allowed').inputValue()
    expect(allowed).toBe('orders:read, orders:cancel, refunds:issue')
    await page.getByRole('button', { name: 'Save checks' }).click()
    await page.getByText('Saved. They are run').first().waitFor()
    await expect.poll(() => page.getByText('A check was made of what you tried.').count()).toBe(0)
    await page.getByRole('button', { name: 'Run them now' }).click()
    await page.getByText('The check passed.').waitFor()
    await page.context().close()
  })

  it('keeps the keyboard at the rule that it moves, and its line true to its calls', async () => {
    const page = await openAgent()
    await page.getByRole('button', { name: 'Add a rule on top' }).click()
    const rules = page.locator('[data-row]:not([data-row] [data-row])')
    const added = rules.first()
    await added.getByText('Calls, memory and more').click()
    await added.getByRole('button', { name: 'Add a call' }).click()
    await added.getByRole('button', { name: 'Add a call' }).click()
    await added.getByLabel('Its result is called').last().fill('second')
    await page.getByRole('button', { name: 'Move rule 1 down' }).press('Enter')
    await page.getByRole('button', { name: 'Move rule 2 up' }).press('Enter')
    await expect.poll(() => focused(page, 'aria-label')).toBe('Move rule 1 down')
    await added.locator('summary').first().click()
    await page.getByRole('button', { name: 'Move rule 1 down' }).press('Enter')
    await page.getByRole('button', { name: 'Move rule 2 up' }).press('Enter')
    await expect.poll(() => focused(page, 'aria-label')).toBe('Move rule 1 down')
    const last = await rules.first().getByLabel('Its result is called').last().inputValue()
    expect(last).toBe('second')
    await added.locator('summary').first().click()
    await added.getByLabel('Tool', { exact: true }).first().selectOption('showOrder')
    await added.getByText('calls showOrder').waitFor()
    await added.getByRole('button', { name: 'Remove call 1' }).click()
    await added.getByText('calls showOrder').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await added.getByText('is required').waitFor()
    expect(await added.getByText('something in it is wrong').isVisible()).toBe(false)
    await added.locator('summary').first().click()
    await added.getByText('something in it is wrong').waitFor()
    await page.context().close()
  })

  it('leaves rows as open or folded as they were, and the focus where it was, when it saves', async () => {
    const page = await openAgent()
    await page.getByRole('button', { name: 'Add a rule on top' }).click()
    const rules = page.locator('[data-row]:not([data-row] [data-row])')
    await rules.nth(0).getByLabel('Words', { exact: false }).first().fill('kept open')
    await rules.nth(0).getByLabel('Answer', { exact: true }).fill('Yes.')
    await rules.nth(0).getByText('Calls, memory and more').click()
    const folded = rules.nth(1).locator('details').first()
    await folded.evaluate((row: HTMLDetailsElement) => {
      row.open = false
    })
    const save = page.getByRole('button', { name: 'Save draft' })
    const [before] = await versions()
    await save.press('Enter')
    await page.getByText(`Draft, version ${(before?.number ?? 0) + 1}:`).waitFor()
    await expect.poll(() => focused(page, 'data-part')).toBe('submit')
    expect(await rules.nth(0).getByText('Calls of rule 1').isVisible()).toBe(true)
    expect(await folded.getAttribute('open')).toBeNull()
    await page.getByRole('button', { name: 'Remove rule 1' }).click()
    await save.click()
    await page.getByText(`Draft, version ${(before?.number ?? 0) + 2}:`).waitFor()
    await page.context().close()
  })

  it('publishes once the checks pass, or where somebody overrides them', async () => {
    const page = await openAgent('/checks')
    await page.getByRole('button', { name: 'Add a check', exact: true }).click()
    const check = page.locator('[data-row]').last()
    await check.getByLabel('Name', { exact: true }).fill('Tells the state')
    await check.getByLabel('The User has allowed').fill('orders:read')
    await check.getByLabel('Turns').fill('- { say: tryout, has: [delivered] }')
    await check.getByLabel('What the Brand’s API answers').fill('showOrder: { body: { state: shipped } }')
    await page.getByRole('button', { name: 'Save checks' }).click()
    await page
      .getByText(/They are run before the next draft/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Run them now' }).click()
    await page.getByText('1 of 2 checks failed.').waitFor()
    await page.getByText('the reply lacks “delivered”').waitFor()
    await page.goto(`${agent}/publish`)
    await page.getByText(/1 tool added/).waitFor()
    await page.getByRole('button', { name: 'Check and publish' }).click()
    await page.getByText('Not published: checks failed.').first().waitFor()
    await page.getByLabel('Publish although checks fail').check()
    await page.getByRole('button', { name: 'Check and publish' }).click()
    await page
      .getByText(/Published\. It answers/)
      .first()
      .waitFor()
    expect((await versions())[0]).toMatchObject({ published: true })
    const event = await prisma().auditEvent.findFirst({ where: { action: 'agent.publish-despite-checks' } })
    expect(event?.after).toEqual({ failed: ['Tells the state'] })
    await page.context().close()
  })

  it('keeps a history that is compared and restored', async () => {
    const page = await openAgent('/versions')
    await page.getByRole('link', { name: /Compare version 1 / }).click()
    await page.getByText('Version 1, and what is edited now').waitFor()
    const [last] = await versions()
    await page.getByRole('row', { name: /^1 / }).getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click()
    await page
      .getByText(/Restored as draft/)
      .first()
      .waitFor()
    expect((await versions())[0]).toEqual({ number: (last?.number ?? 0) + 1, published: false })
    await page.context().close()
  })

  it('gives a model’s key that was typed to no page again', async () => {
    const [last] = await versions()
    const of = { brandId: console.provider.brandId, number: (last?.number ?? 0) + 1 }
    const settings = {
      driver: 'llm',
      endpoint: 'http://localhost:9/v1',
      model: 'm',
      instructions: 'Help.',
      tools: [],
    }
    await prisma().agentVersion.create({ data: { ...of, published: false, settings, savedBy: 'x' } })
    const page = await openAgent()
    await page.getByText('The User, and what the Brand’s API answers').click()
    await page.getByLabel('Key of the model').fill('sk-typed-here')
    await page.getByLabel('Message').fill('Hello')
    const answers: string[] = []
    await page.route(`${agent}*`, async (route) => {
      const response = await route.fetch()
      answers.push(await response.text())
      await route.fulfill({ response })
    })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('No reply').first().waitFor()
    expect(answers.join()).toContain('No reply')
    expect(answers.join()).not.toContain('sk-typed-here')
    await prisma().agentVersion.delete({ where: { brandId_number: of } })
    await page.context().close()
  })

  it('says so where checks can’t be run, because the draft no longer fits its Brand', async () => {
    const [last] = await versions()
    const of = { brandId: console.provider.brandId, number: (last?.number ?? 0) + 1 }
    const rules = [{ when: {}, call: [{ tool: 'gone' }], reply: 'x' }]
    const settings = { driver: 'scripted', rules, fallback: 'x', tools: [] }
    await prisma().agentVersion.create({ data: { ...of, published: false, settings, savedBy: 'x' } })
    const page = await openAgent('/checks')
    await page.getByRole('button', { name: 'Run them now' }).click()
    await page
      .getByText(/The draft no longer fits its Brand/)
      .first()
      .waitFor()
    await prisma().agentVersion.delete({ where: { brandId_number: of } })
    await page.context().close()
  })

  it('says at the field what is unfinished, also where somebody else was faster', async () => {
    const page = await openAgent()
    await page.getByRole('button', { name: 'Add a rule', exact: true }).click()
    const rule = page.locator('[data-row]:not([data-row] [data-row])').last()
    await rule.getByText('Calls, memory and more').click()
    await rule.getByRole('button', { name: 'Add a call' }).click()
    const [last] = await versions()
    const of = { brandId: console.provider.brandId, number: (last?.number ?? 0) + 1 }
    const settings = { driver: 'scripted', rules: [], fallback: 'x', tools: [] }
    await prisma().agentVersion.create({ data: { ...of, published: false, settings, savedBy: 'x' } })
    await page.getByRole('button', { name: 'Save draft' }).click()
    await rule.getByText('is required').waitFor()
    await prisma().agentVersion.delete({ where: { brandId_number: of } })
    await page.context().close()
  })

  it('is for a viewer to look at, and changes nothing for them', async () => {
    const page = await openAgent('', 'viewer')
    await page.getByText('You can look at this and change nothing.').waitFor()
    expect(await page.getByRole('button', { name: 'Save draft' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Send', exact: true }).count()).toBe(0)
    const response = await page.goto(`${agent}/tools/import`)
    expect(response?.status()).toBe(404)
    await page.context().close()
  })
})
