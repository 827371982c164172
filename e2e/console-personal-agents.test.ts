import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { importJWK, type JWTPayload, SignJWT } from 'jose'
import type { Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { prisma } from '#lib/platform/database.ts'
import { inspectState, type Role, startTestConsole, type TestConsole } from './harness/console.ts'
import type { TestPersonalAgent } from './harness/personal-agents.ts'

const PATH = '/admin/personal-agents'
const run = promisify(execFile)

let site: TestConsole
let firstId: string

beforeAll(async () => {
  site = await startTestConsole()
  const { issuer } = site.provider.personalAgent
  firstId = (await prisma().personalAgent.findUniqueOrThrow({ where: { issuer } })).id
})
afterAll(() => site?.close())

async function signToken({ issuer, privateJwk }: TestPersonalAgent, claims: JWTPayload = {}) {
  const iat = Math.floor(Date.now() / 1000)
  const { audience } = site.provider
  return new SignJWT({ iss: issuer, sub: 'user', aud: audience, iat, exp: iat + 120, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: String(privateJwk.kid) })
    .sign(await importJWK(privateJwk, 'ES256'))
}

async function statusFor(agent: TestPersonalAgent): Promise<number> {
  const { url, brandId } = site.provider
  const headers = { Authorization: `Bearer ${await signToken(agent)}` }
  return (await fetch(`${url}/a2a/${brandId}/tasks`, { headers })).status
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

async function check(page: Page, token: string) {
  const result = page.getByRole('region', { name: 'Result of the check' })
  await page.getByLabel('Token (JWT)').fill(token)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  return result
}

describe('an admin', () => {
  let page: Page
  beforeAll(async () => {
    page = await site.openAs('admin')
  })
  afterAll(() => page.context().close())

  it('finds one in the list, and the filter in the address', async () => {
    await page.goto(site.url + PATH)
    await page.getByLabel('State').selectOption('disabled')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL(/state=disabled/)
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await page.goto(`${site.url}${PATH}?q=no+such&sort=nonsense`)
    await page.getByText('No personal agent is like that').waitFor()
  })

  it('registers one from its issuer alone, having seen its keys', async () => {
    const [stranger] = site.provider.strangers
    if (!stranger) throw new Error('no stranger')
    expect(await statusFor(stranger)).toBe(401)
    await page.goto(`${site.url}${PATH}/new`)
    await page.getByLabel('Issuer').first().fill(stranger.issuer)
    await page.getByRole('button', { name: 'Look up' }).click()
    await page.getByText('Its configuration was found').waitFor()
    await page.getByRole('cell', { name: 'stranger-key' }).waitFor()
    await page.getByLabel('Name').fill('A former stranger')
    await page.getByLabel('Requests').first().fill('many')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('must be a number; it is text').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('A former stranger')
    await page.getByLabel('Requests').first().fill('50')
    await page.getByLabel('in seconds').first().fill('10')
    await page.getByRole('button', { name: 'Register' }).click()
    await heading(page, 'A former stranger').waitFor()
    await page.getByText('50 requests in 10 s altogether').waitFor()
    expect(await statusFor(stranger)).toBe(200)

    await page.goto(`${site.url}${PATH}/new?issuer=${encodeURIComponent(stranger.issuer)}`)
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('“A former stranger” is registered already.').waitFor()
  })

  it('sees the keys that its JWKS has now', async () => {
    await page.goto(`${site.url}${PATH}/${firstId}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('1 key can verify its tokens.').waitFor()
    await page.getByRole('cell', { name: 'first-key' }).waitFor()
  })

  it('sees of a token which rules hold, and its developers’ program runs', async () => {
    const { personalAgent, otherPersonalAgent } = site.provider
    await page.goto(`${site.url}${PATH}/${firstId}`)
    const result = await check(page, await signToken(personalAgent))
    await result.getByText('A request with this token is let in').waitFor()
    await check(page, await signToken(otherPersonalAgent, { aud: 'urn:example:wrong', iat: 1, exp: 2 }))
    await result.getByText('2 rules do not hold').waitFor()
    await result.getByText('It is a token of another personal agent').waitFor()
    await result.getByText('"urn:example:wrong"').first().waitFor()

    const program = await page.getByRole('region', { name: 'Sign a token and send a message' }).textContent()
    // Where a program of this project finds its packages.
    const folder = await mkdtemp(join(import.meta.dirname, '../node_modules/.snippet-'))
    await writeFile(join(folder, 'main.mjs'), program ?? '')
    const env = { ...process.env, PRIVATE_JWK: JSON.stringify(personalAgent.privateJwk) }
    const { stdout } = await run(process.execPath, [join(folder, 'main.mjs')], { env })
    await rm(folder, { recursive: true })
    expect(stdout).toContain('You said: Hello')
  })

  it('is told when somebody else was faster, and shown the difference', async () => {
    await page.goto(`${site.url}${PATH}/${firstId}/edit`)
    await page.getByLabel('Name').fill('Mine')
    await prisma().personalAgent.update({ where: { id: firstId }, data: { name: 'Theirs' } })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed this').waitFor()
    await page.getByRole('cell', { name: 'Theirs' }).waitFor()
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved. It holds').first().waitFor()
    const { name } = await prisma().personalAgent.findUniqueOrThrow({ where: { id: firstId } })
    expect(name).toBe('Mine')
    const [last] = await prisma().auditEvent.findMany({ orderBy: { id: 'desc' }, take: 1 })
    expect(last).toMatchObject({
      action: 'personal-agent.update',
      actor: 'admin@provider.example',
      before: { name: 'Theirs' },
      after: { name: 'Mine' },
    })
  })

  it('shuts one out and lets it in again, at once', async () => {
    const { otherPersonalAgent } = site.provider
    const where = { issuer: otherPersonalAgent.issuer }
    const { id } = await prisma().personalAgent.findUniqueOrThrow({ where })
    expect(await statusFor(otherPersonalAgent)).toBe(200)
    await page.goto(`${site.url}${PATH}/${id}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('0 open conversations').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await expect.poll(() => statusFor(otherPersonalAgent), { timeout: 3_000 }).toBe(401)
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Disable' }).waitFor()
    await expect.poll(() => statusFor(otherPersonalAgent), { timeout: 3_000 }).toBe(200)
  })

  it('makes a discovered one a registered one', async () => {
    const { id } = await prisma().personalAgent.create({
      data: {
        name: 'found.example',
        issuer: 'https://found.example',
        jwksUri: 'https://found.example/k',
        origin: 'discovered',
      },
    })
    await page.goto(`${site.url}${PATH}/${id}`)
    await page.getByRole('button', { name: 'Make registered' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Make registered' }).click()
    await page.getByText('It is registered now.').first().waitFor()
    const { origin } = await prisma().personalAgent.findUniqueOrThrow({ where: { id } })
    expect(origin).toBe('registered')
  })
})

describe('others', () => {
  it('an auditor reads and checks, and is offered no change', async () => {
    const page = await site.openAs('auditor')
    await page.goto(site.url + PATH)
    await heading(page, 'Personal agents').waitFor()
    expect(await page.getByRole('link', { name: 'Register a personal agent' }).count()).toBe(0)
    await page.goto(`${site.url}${PATH}/${firstId}`)
    const result = await check(page, 'nonsense')
    await result.getByText('1 rule does not hold').waitFor()
    for (const name of ['Disable', 'Edit'])
      expect(await page.getByText(name, { exact: true }).count()).toBe(0)
    for (const place of ['/new', `/${firstId}/edit`]) {
      expect((await page.goto(site.url + PATH + place))?.status()).toBe(404)
    }
    await page.context().close()
  })

  it.each(['manager', 'viewer', 'otherManager'] as Role[])('for a %s there is no such page', async (role) => {
    const page = await site.openAs(role)
    await page.goto(`${site.url}/admin`)
    expect(await page.getByRole('link', { name: 'Personal agents' }).count()).toBe(0)
    for (const place of ['', '/new', `/${firstId}`, `/${firstId}/edit`]) {
      expect((await page.goto(site.url + PATH + place))?.status()).toBe(404)
    }
    await page.context().close()
  })
})

describe('results', () => {
  it('of tests and look-ups can be read by everyone', async () => {
    const page = await site.openAs('admin')
    await page.goto(`${site.url}${PATH}/${firstId}`)
    await page.getByRole('button', { name: 'Test connection' }).click()
    await page.getByText('1 key can verify its tokens.').waitFor()
    await (await check(page, await signToken(site.provider.personalAgent, { sub: '' })))
      .getByText('1 rule does not hold')
      .waitFor()
    await inspectState(page, 'personal-agent-checked')
    const { issuer } = site.provider.personalAgent
    await page.goto(`${site.url}${PATH}/new?issuer=${encodeURIComponent(issuer)}`)
    await page.getByText('Its configuration was found').waitFor()
    await inspectState(page, 'personal-agent-found')
    await page.context().close()
  })
})
