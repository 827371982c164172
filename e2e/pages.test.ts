import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepScreenshot, openBrowser } from './harness/browser.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'

let provider: TestProvider
let browser: Browser

beforeAll(async () => {
  ;[provider, browser] = await Promise.all([startTestProvider(), openBrowser()])
})

afterAll(() => Promise.all([provider?.close(), browser?.close()]))

const views = [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
] as const

async function open(path: string, view: (typeof views)[number]) {
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.colorScheme,
  })
  const page = await context.newPage()
  const response = await page.goto(provider.url + path)
  await keepScreenshot(page, `${path === '/' ? 'home' : path.slice(1)}-${view.width}-${view.colorScheme}`)
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, `${path} scrolls sideways`).toBeLessThanOrEqual(view.width)
  return { page, response }
}

describe.each(views)('at $width pixels, $colorScheme', (view) => {
  it('the start page shows the Brands, and where their cards are', async () => {
    const { page } = await open('/', view)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Test Provider')
    expect(await page.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Loom & Thread',
      'Northlight Energy',
    ])
    const card = await page.getByRole('link').first().getAttribute('href')
    const answer = await page.goto(card ?? '')
    expect(answer?.status()).toBe(200)
    expect(await answer?.json()).toMatchObject({ name: 'Loom & Thread' })
  })

  it.each([
    ['/nothing-here', 404, 'There is no such page'],
    ['/consent', 200, 'There is nothing to approve here'],
  ])('%s says what is there, and what to do', async (path, status, title) => {
    const { page, response } = await open(path, view)
    expect(response?.status()).toBe(status)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(title)
  })
})

describe('health', () => {
  it('/healthz and /readyz say that all is well', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const response = await fetch(provider.url + path)
      expect(response.status).toBe(200)
      expect(response.headers.get('Cache-Control')).toBe('no-store')
    }
  })

  it('/readyz says 503 when the database is gone, while /healthz answers', async () => {
    const other = await startTestProvider()
    try {
      await other.dropDatabase()
      const ready = await fetch(`${other.url}/readyz`)
      expect(ready.status).toBe(503)
      expect(await ready.json()).toEqual({
        status: 'not ready',
        database: { reachable: false, migrated: false },
      })
      expect((await fetch(`${other.url}/healthz`)).status).toBe(200)
    } finally {
      await other.close()
    }
  })
})
