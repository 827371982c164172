import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureInstalled } from './install.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'node_modules', '.bin')

/**
 * Runs a program of the project under its own Node; signals go to it as well.
 *
 * @param {string[]} args
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
function run(args) {
  const child = spawn(join(bin, 'node'), args, { cwd: root, stdio: 'inherit' })
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal)
  process.on('SIGTERM', forward)
  // The terminal sends SIGINT to the child too: it ends by itself, and this process waits for it.
  process.on('SIGINT', () => {})
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('SIGTERM', forward)
      resolve(code ?? 1)
    })
  })
}

await ensureInstalled()
process.exitCode = await run([join(root, 'e2e/conformance/check-environment.ts')])
if (process.exitCode === 0) {
  const reporter = `--reporter=${join(root, 'e2e/conformance/table-reporter.ts')}`
  const more = process.argv.slice(2)
  process.exitCode = await run([join(bin, 'vitest'), 'run', '--project', 'conformance', reporter, ...more])
}
