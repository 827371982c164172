import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { type Role, roles, startTestConsole, type TestConsole } from './harness/console.ts'

let on: TestConsole

beforeAll(async () => {
  on = await startTestConsole()
})
afterAll(() => on.close())

const get = (path: string, token: string) =>
  fetch(`${on.url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })

/** What a token for all that each role may do reads: the Provider's settings, and so many Brands. */
const table: Record<Role, { settings: number; brands: number }> = {
  admin: { settings: 200, brands: 2 },
  auditor: { settings: 200, brands: 2 },
  manager: { settings: 403, brands: 1 },
  viewer: { settings: 403, brands: 1 },
  otherManager: { settings: 403, brands: 1 },
}

describe('API tokens in the console', () => {
  it.each(roles)('as %s: made, copied, used, revoked', async (role) => {
    const page = await on.openAs(role)
    await page.goto(`${on.url}/admin/api`)
    await page.getByRole('button', { name: 'Nothing' }).click()
    await page.getByRole('button', { name: 'Make the token' }).click()
    await page.getByText('must not be blank').waitFor()
    await page.getByText('must have at least 1 entry').waitFor()
    await page.getByLabel('Name', { exact: true }).fill(`bot of ${role}`)
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByLabel('Expires').selectOption('7')
    await page.getByRole('button', { name: 'Make the token' }).click()
    const shown = page.getByRole('region', { name: 'Token', exact: true })
    const token = (await shown.textContent())?.trim() ?? ''
    expect(token).toMatch(/^pact_[\w-]{43}$/)

    expect((await get('/provider', token)).status).toBe(table[role].settings)
    const { data } = await (await get('/brands', token)).json()
    expect(data).toHaveLength(table[role].brands)

    await page.reload()
    expect(await page.content()).not.toContain(token)
    const row = page.getByRole('listitem').filter({ hasText: `bot of ${role}` })
    await row.getByText('Last used').waitFor()
    await row.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('The token was revoked.').waitFor()
    await row.waitFor({ state: 'detached' })
    const answer = await get('/brands', token)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    const events = await prisma().auditEvent.findMany({ where: { subject: `bot of ${role}` } })
    expect(events.map(({ action }) => action).sort()).toEqual(['api-token.create', 'api-token.revoke'])
  })

  it('a session’s cookie opens the console, and not the API', async () => {
    const page = await on.openAs('admin')
    expect((await page.request.get(`${on.url}/admin`)).status()).toBe(200)
    expect((await page.request.get(`${on.url}/api/v1/brands`)).status()).toBe(401)
  })

  it('is answered through the server as by its handler: address, methods, document', async () => {
    const page = await on.openAs('admin')
    await page.goto(`${on.url}/admin/api`)
    await page.getByLabel('Name', { exact: true }).fill('server')
    await page.getByRole('button', { name: 'Everything' }).click()
    await page.getByRole('button', { name: 'Make the token' }).click()
    const token = (await page.getByRole('region', { name: 'Token', exact: true }).textContent())?.trim() ?? ''
    const headers = { Authorization: `Bearer ${token}`, 'X-Client-Address': '203.0.113.9' }
    const agent = await prisma().personalAgent.findFirstOrThrow({ where: { name: 'second' } })
    const path = `${on.url}/api/v1/personal-agents/${agent.id}/disable`
    expect((await fetch(path, { method: 'POST', headers })).status).toBe(200)
    const event = await prisma().auditEvent.findFirstOrThrow({
      where: { actorKind: 'token' },
      orderBy: { id: 'desc' },
    })
    expect(event.address).toMatch(/127\.0\.0\.1|::1/)
    for (const method of ['DELETE', 'OPTIONS']) {
      const answer = await fetch(`${on.url}/api/v1/brands`, { method })
      expect([answer.status, answer.headers.get('Allow')]).toEqual([405, 'GET, POST, HEAD'])
    }
    const document = await (await fetch(`${on.url}/api/v1/openapi.json`)).json()
    expect(document.servers).toEqual([{ url: `${on.url}/api/v1` }])
  })

  it('the reference shows every operation of the document', async () => {
    const page = await on.openAs('viewer')
    await page.goto(`${on.url}/admin/api`)
    await page.getByRole('link', { name: 'Reference' }).click()
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor()
    const document = await (await fetch(`${on.url}/api/v1/openapi.json`)).json()
    const ids = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    const shown: string[] = []
    for (const { name } of document.tags) {
      const part = page.getByRole('navigation', { name: 'Parts of the API' })
      await part.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 2, name, exact: true }).waitFor()
      shown.push(...(await page.locator('article[id]').evaluateAll((all) => all.map(({ id }) => id))))
      const targets = await page
        .locator('article a[href^="#"], section a[href^="#"]')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href')?.slice(1)))
      expect(
        targets.filter((id) => !shown.includes(id ?? '')),
        name,
      ).toEqual([])
    }
    expect(ids.filter((id) => !shown.includes(id))).toEqual([])
  })
})
