import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { step } from './progress.js'
import { ownNode, root } from './root.js'
import { runTool } from './run-tool.js'

/** Where Debian and others put it. The first has no window system in it, and needs half the processor time. */
const SYSTEM_BROWSERS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const DEBIAN_PACKAGE = 'chromium-headless-shell'
/** How long a download may take, in milliseconds. */
const DOWNLOAD_TIME = 240_000

async function hasOwnBrowser() {
  const { chromium } = await import('playwright')
  return existsSync(chromium.executablePath())
}

function findSystemBrowser() {
  return SYSTEM_BROWSERS.find((path) => existsSync(path))
}

function download() {
  const args = [join(root, 'node_modules', '.bin', 'playwright'), 'install', 'chromium']
  return runTool(ownNode, args, {
    advice: 'Playwright could not download a browser.',
    timeout: DOWNLOAD_TIME,
  })
}

async function installFromDebian() {
  const env = { DEBIAN_FRONTEND: 'noninteractive' }
  const advice = `Debian could not install the package ${DEBIAN_PACKAGE}.`
  await runTool('apt-get', ['update'], { advice, env, timeout: DOWNLOAD_TIME })
  await runTool('apt-get', ['install', '-y', '--no-install-recommends', DEBIAN_PACKAGE], {
    advice,
    env,
    timeout: DOWNLOAD_TIME,
  })
}

/**
 * Finds a browser for the tests, and gets one when there is none: Playwright's own, the system's, Playwright's download,
 * Debian's package.
 *
 * @returns {Promise<Record<string, string>>} what the tests need in their environment: `CHROMIUM_PATH`, or nothing for
 *   Playwright's own
 * @throws {Error} saying what to do when there is no browser
 */
export async function findBrowser() {
  if (process.env.CHROMIUM_PATH) return { CHROMIUM_PATH: process.env.CHROMIUM_PATH }
  if (await hasOwnBrowser()) return {}
  const found = findSystemBrowser()
  if (found) return { CHROMIUM_PATH: found }
  const downloaded = await step('Downloading a browser', download).catch(() => undefined)
  if (downloaded !== undefined && (await hasOwnBrowser())) return {}
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    await step(`Installing ${DEBIAN_PACKAGE}`, installFromDebian).catch(() => undefined)
  }
  const installed = findSystemBrowser()
  if (installed) return { CHROMIUM_PATH: installed }
  throw new Error('There is no browser for the tests: install Chromium and set CHROMIUM_PATH to its program.')
}
