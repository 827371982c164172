import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'

const screenshots = join(import.meta.dirname, '../../test-results/screenshots')

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** A real browser: the one at `CHROMIUM_PATH`, or Playwright's own. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH
  return chromium.launch({ args: FLAGS, ...(executablePath ? { executablePath } : {}) })
}

/** Keeps a picture of the whole page in `test-results/screenshots`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  // A PNG takes twice the time.
  await page.screenshot({ path: join(screenshots, `${name}.jpg`), type: 'jpeg', quality: 80, fullPage: true })
}
