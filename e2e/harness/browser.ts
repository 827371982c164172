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

let launched: Promise<Browser> | undefined

async function launch(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH
  const forget = () => {
    launched = undefined
  }
  try {
    const browser = await chromium.launch({ args: FLAGS, ...(executablePath ? { executablePath } : {}) })
    browser.on('disconnected', forget)
    return browser
  } catch (error) {
    forget()
    throw error
  }
}

/**
 * A real browser: the one at `CHROMIUM_PATH`, or Playwright's own. The test files of one process share it, one after the other:
 * to close it closes what was opened in it, and it ends with the process.
 */
export async function openBrowser(): Promise<Browser> {
  launched ??= launch()
  const browser = await launched
  const close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
  return new Proxy(browser, {
    get(target, name) {
      if (name === 'close') return close
      const member = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

/** Keeps a picture of the whole page in `test-results/screenshots`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true })
  // A PNG takes twice the time.
  await page.screenshot({ path: join(screenshots, `${name}.jpg`), type: 'jpeg', quality: 80, fullPage: true })
}
