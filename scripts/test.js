import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.js'
import { ensureBuilt, ensurePageTypes, ensurePrismaClient } from './generated-code.js'
import { ensureInstalled } from './install.js'
import { compileCache, ownNode, root } from './root.js'
import { addCounts, readCounts } from './test-counts.js'

const bin = join(root, 'node_modules', '.bin')
const reports = mkdtempSync(join(tmpdir(), 'pact-provider-reports-'))

/** Where import directions are checked. */
const sources = ['app', 'bench', 'components', 'lib', 'cli', 'scripts', 'e2e', 'examples', 'server.ts']

/** @typedef {import('./test-counts.js').Counts} Counts */

/** Which child gets a signal that only this process received. @type {import('node:child_process').ChildProcess | undefined} */
let current

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (!current) process.exit(130)
    current.kill(signal)
    current.once('exit', () => process.exit(130))
  })
}

/**
 * Runs a program of node_modules with the project's own Node; its output is this process's.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 * @returns {Promise<boolean>} whether it succeeded
 */
function run(program, args, env = {}) {
  // First in PATH: what the tests start by the name of node is this one too.
  const PATH = `${bin}:${process.env.PATH}`
  current = spawn(ownNode, [join(bin, program), ...args], {
    cwd: root,
    env: { ...process.env, ...compileCache, PATH, ...env },
    stdio: 'inherit',
  })
  const child = current
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}

/**
 * A step that passes or fails as a whole.
 *
 * @param {() => Promise<boolean | void>} work
 * @returns {Promise<Counts>}
 */
async function check(work) {
  try {
    return { passed: 0, failed: (await work()) === false ? 1 : 0 }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return { passed: 0, failed: 1 }
  }
}

/**
 * Runs projects of vitest.config.ts.
 *
 * @param {string[]} projects
 * @param {string[]} [more] other arguments
 * @param {Record<string, string>} [env]
 * @returns {Promise<Counts>}
 */
async function runTests(projects, more = [], env = {}) {
  const report = join(reports, `${projects.join('-')}.json`)
  const selected = projects.flatMap((project) => ['--project', project])
  const reporting = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const ok = await run('vitest', ['run', ...selected, ...reporting, ...more], { ...browser, ...env })
  return readCounts(ok, () => readFileSync(report, 'utf8'))
}

/** @type {Record<string, string>} */
let browser = {}

/**
 * The conformance suite, with its table.
 *
 * @param {string} project
 */
function runConformance(project) {
  const table = '--reporter=./e2e/conformance/table-reporter.ts'
  return runTests([project], [table], { E2E_REPORT: join('test-results', `${project}.json`) })
}

/** @type {[name: string, work: () => Promise<Counts>][]} In this order; each runs even when one before it failed. */
const steps = [
  ['Generated code', () => check(ensurePrismaClient)],
  ['Format and lint', () => check(() => run('biome', ['ci', '--error-on-warnings']))],
  ['Types of pages', () => check(ensurePageTypes)],
  ['Types', () => check(() => run('tsc', ['--noEmit']))],
  [
    'Import directions',
    () => check(() => run('depcruise', ['--config', '.dependency-cruiser.js', ...sources])),
  ],
  ['Unit and database tests', () => runTests(['unit', 'db'])],
  ['Build', () => check(ensureBuilt)],
  [
    'Browser',
    () =>
      check(async () => {
        browser = await findBrowser()
      }),
  ],
  ['End-to-end tests', () => runTests(['e2e'])],
  ['Conformance', () => runConformance('conformance')],
  [
    'Conformance of two instances, and of a Brand with a bot',
    () => runConformance('conformance-two-instances'),
  ],
  ['Conformance of a Brand that a model speaks for', () => runConformance('conformance-of-a-model')],
]

await ensureInstalled()
/** @type {string[]} */
const summary = []
let total = { passed: 0, failed: 0 }
for (const [name, work] of steps) {
  console.log(`\n== ${name}`)
  const startedAt = performance.now()
  const counts = await work()
  total = addCounts(total, counts)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  summary.push(`${counts.failed === 0 ? 'ok    ' : 'FAILED'}  ${name}  (${seconds} s)`)
}
rmSync(reports, { recursive: true, force: true })
console.log(`\n${summary.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
