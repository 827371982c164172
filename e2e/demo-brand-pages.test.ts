import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepScreenshot, openBrowser } from './harness/browser.ts'
import { startDemoBrand } from './harness/demo-brand.ts'
import { findViolations } from './harness/page-checks.ts'
import { findUnusedPort } from './harness/start.ts'

let browser: Browser
let provider: Server
let interfaceUrl: string
let brandUrl: string
let stopBrand: () => Promise<void>
/** The forms that the consent URL has received. */
const posted: { url: string | undefined; form: URLSearchParams }[] = []

beforeAll(async () => {
  provider = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    if (request.method === 'POST') posted.push({ url: request.url, form: new URLSearchParams(text) })
    response.writeHead(200, { 'Content-Type': 'text/html' }).end('<title>Consent</title>Consent')
  })
  await new Promise<void>((resolve) => provider.listen(0, 'localhost', resolve))
  interfaceUrl = `http://localhost:${(provider.address() as AddressInfo).port}/a2a/B1`
  brandUrl = `http://localhost:${await findUnusedPort()}`
  stopBrand = await startDemoBrand(brandUrl, interfaceUrl)
  browser = await openBrowser()
})

afterAll(async () => {
  await browser?.close()
  await stopBrand?.()
  provider?.close()
})

function link(query = '?user_code=WDJB-MJHT'): string {
  return `${brandUrl}/login?return_to=${encodeURIComponent(`${interfaceUrl}/oauth/consent${query}`)}`
}

const looks = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 740 } },
] as const

describe('the demo Brand in a real browser', () => {
  it.each(looks)('has no accessibility violations: $colorScheme, $viewport.width wide', async (look) => {
    const context = await browser.newContext(look)
    const page = await context.newPage()
    const pages = [
      ['login', link()],
      ['login-code', link('')],
      ['refused', `${brandUrl}/login?return_to=https://evil.example`],
      [
        'connected',
        `${brandUrl}/connected?status=approved&client=https://pa.example&scope=orders:read+orders:cancel`,
      ],
      ['not-allowed', `${brandUrl}/connected?status=denied&client=https://pa.example`],
    ] as const
    for (const [name, url] of pages) {
      await page.goto(url)
      expect(await findViolations(page), name).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, `${name} fits`).toBeLessThanOrEqual(look.viewport.width)
      await keepScreenshot(page, `demo-brand-${name}-${look.colorScheme}`)
    }
    await context.close()
  })

  it.each([true, false])(
    'posts the assertion to the consent URL, scripts on: %s',
    async (javaScriptEnabled) => {
      const context = await browser.newContext({ javaScriptEnabled })
      const page = await context.newPage()
      await page.goto(link())
      await page.getByRole('button', { name: 'Jane Miller' }).click()
      if (!javaScriptEnabled) await page.getByRole('button', { name: 'Continue' }).click()
      await page.waitForURL(`${interfaceUrl}/oauth/consent`)
      const last = posted.at(-1)
      expect(last?.url).toBe('/a2a/B1/oauth/consent')
      expect([...(last?.form.keys() ?? [])]).toEqual(['assertion'])
      await context.close()
    },
  )
})
