import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { step } from './progress.js'
import { ownNode, root } from './root.js'
import { runTool, ToolError } from './run-tool.js'
import { withSetupLock } from './setup-lock.js'

/**
 * @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean, link?: boolean,
 *   os?: string[], cpu?: string[], libc?: string[] }} Entry
 * @typedef {Record<string, Entry>} Entries
 */

/**
 * @param {string} file
 * @returns {Entries | undefined} undefined when there is no such file, or it is no lock file
 */
function readEntries(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch {
    return undefined
  }
}

/**
 * Whether the entry may be missing on this machine, as npm leaves out what is for others.
 *
 * @param {Entry} entry
 */
function mayBeMissing({ optional, devOptional, os, cpu, libc }) {
  if (!optional && !devOptional) return false
  if (libc || !os || !cpu) return true
  return !os.includes(process.platform) || !cpu.includes(process.arch)
}

/**
 * Says whether an installation is what the lock file asks for.
 *
 * @param {Entries} wanted the packages of `package-lock.json`
 * @param {Entries} installed those of `node_modules/.package-lock.json`, which npm writes when all is installed
 */
export function isInstallationCurrent(wanted, installed) {
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    const found = installed[path]
    return found ? found.version === entry.version : mayBeMissing(entry)
  })
}

function isInstalled() {
  const wanted = readEntries(join(root, 'package-lock.json'))
  const installed = readEntries(join(root, 'node_modules', '.package-lock.json'))
  return Boolean(wanted && installed && isInstallationCurrent(wanted, installed) && existsSync(ownNode))
}

async function install() {
  // Prisma's install script would fetch an engine that is not used; it is content with any existing file.
  const env = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, NODE_ENV: 'development' }
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const advice = 'npm ci failed: see above, check the connection to the npm registry, and try again.'
  await runTool(npm, args, { env, advice })
  // What Next keeps between builds holds what it found in the former packages, down to one that was missing.
  rmSync(join(root, '.next', 'cache'), { recursive: true, force: true })
  if (!existsSync(ownNode)) {
    throw new ToolError(
      'npm did not run the install script of the package "node". Allow install scripts (npm config set ignore-scripts false), ' +
        'delete node_modules, and try again.',
    )
  }
}

/**
 * Installs the project's packages unless they are there, as `package-lock.json` says. Ends the process with status 1 and
 * what to do when that fails.
 */
export async function ensureInstalled() {
  if (isInstalled()) return
  try {
    await withSetupLock(async () => {
      if (!isInstalled()) await step('Installing packages', install)
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}
