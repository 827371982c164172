import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildBrand } from '#examples/brand/app.ts'
import { serveBrand } from '#examples/brand/serve.ts'
import { keepScreenshot, openBrowser } from './harness/browser.ts'
import { buildOrderAgentProvision } from './harness/order-agent-provision.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { signPaToken } from './harness/wire.ts'

let provider: TestProvider
let browser: Browser
let brandUrl: string
let dataDir: string
let stopBrand: () => Promise<void>

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

/** As `examples/demo.yaml` has the demo Brand. */
function demoLogin() {
  return {
    url: `${brandUrl}/login`,
    issuer: brandUrl,
    jwksUri: `${brandUrl}/.well-known/jwks.json`,
    afterConsentUrl: `${brandUrl}/connected`,
  }
}

beforeAll(async () => {
  brandUrl = `http://localhost:${await freePort()}`
  dataDir = await mkdtemp(join(tmpdir(), 'demo-brand-'))
  ;[provider, browser] = await Promise.all([
    startTestProvider({
      provision: (agents) => {
        const provision = buildOrderAgentProvision(agents, { api: brandUrl })
        const brands = provision.brands.map((brand) =>
          'delegation' in brand
            ? { ...brand, delegation: { ...brand.delegation, login: demoLogin() } }
            : brand,
        )
        return { ...provision, brands }
      },
    }),
    openBrowser(),
  ])
  const interfaceUrl = `${provider.url}/a2a/${provider.brandId}`
  stopBrand = await serveBrand(await buildBrand({ brandUrl, interfaceUrl, dataDir }), brandUrl)
})
afterAll(async () => {
  await Promise.all([provider?.close(), browser?.close(), stopBrand?.()])
  await rm(dataDir, { recursive: true, force: true })
})

async function oauth(path: string, fields: Record<string, string>) {
  const response = await fetch(`${provider.url}/a2a/${provider.brandId}/oauth/${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${await signPaToken(provider.personalAgent)}` },
    body: new URLSearchParams({ client_id: provider.personalAgent.issuer, ...fields }),
  })
  return response.json()
}

// With scripts its page posts the assertion by itself, without them by a button: both ways lead to consent.
it.each([{ javaScriptEnabled: true }, { javaScriptEnabled: false }])(
  '§5.3 through the demo Brand’s login: $javaScriptEnabled',
  async ({ javaScriptEnabled }) => {
    const page = await (await browser.newContext({ javaScriptEnabled })).newPage()
    const signIn = async () => {
      await page.getByRole('button', { name: 'Jane Miller' }).click()
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click()
    }
    const codes = await oauth('device_authorization', { scope: 'orders:read orders:cancel' })
    await page.goto(codes.verification_uri_complete)
    await signIn()
    await page.getByRole('checkbox', { name: 'Allows orders:cancel' }).uncheck()
    await page.getByRole('button', { name: 'Allow what is checked' }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await keepScreenshot(page, `demo-brand-connected-${javaScriptEnabled}`)
    const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
    const tokens = await oauth('token', { grant_type, device_code: codes.device_code })
    expect(tokens.scope).toBe('orders:read')

    await page.context().clearCookies()
    await page.getByRole('link', { name: 'What I have allowed' }).click()
    expect(new URL(page.url()).origin).toBe(brandUrl)
    await signIn()
    await page.getByRole('button', { name: 'Withdraw everything from first' }).click()
    await page.getByText('No assistant may use this account.').waitFor()
    const { refresh_token } = tokens
    expect(await oauth('token', { grant_type: 'refresh_token', refresh_token })).toMatchObject({
      error: 'invalid_grant',
    })
  },
)
