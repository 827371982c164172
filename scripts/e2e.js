import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureBuilt, ensurePrismaClient } from './generated-code.js'
import { ensureInstalled } from './install.js'
import { ownNode, root } from './root.js'
import { ToolError } from './run-tool.js'

/** The program that runs at the moment. @type {import('node:child_process').ChildProcess | undefined} */
let running
process.on('SIGTERM', () => running?.kill('SIGTERM'))
// The terminal sends Ctrl-C to both programs: this one waits until the other has ended.
process.on('SIGINT', () => {})

/**
 * Runs a program of the project under its own Node.
 *
 * @param {string[]} args
 * @returns {Promise<number>} its exit code; 1 when a signal ended it
 */
function run(args) {
  const child = spawn(ownNode, args, { cwd: root, stdio: 'inherit' })
  running = child
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 1))
  })
}

/** Makes what the project's own Provider is served from. @returns {Promise<number>} an exit code */
async function prepareOwnProvider() {
  try {
    await ensurePrismaClient()
    await ensureBuilt()
    return 0
  } catch (failure) {
    if (!(failure instanceof ToolError)) throw failure
    console.error(failure.message)
    return 1
  }
}

function runSuite() {
  return run([
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--project=conformance',
    `--reporter=${join(root, 'e2e/conformance/table-reporter.ts')}`,
    ...process.argv.slice(2),
  ])
}

await ensureInstalled()
let code = await run([join(root, 'e2e/conformance/check-environment.ts')])
if (code === 0 && !process.env.E2E_PROVIDER) code = await prepareOwnProvider()
process.exitCode = code === 0 ? await runSuite() : code
