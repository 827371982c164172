import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findBrowser } from './browser.js'
import { ensureBuilt, ensurePageTypes, ensurePrismaClient } from './generated-code.js'
import { ensureInstalled } from './install.js'
import { addCounts, readCounts } from './test-counts.js'
import { keepStep, showStep, stopping, stopSteps } from './test-step.js'

const reports = mkdtempSync(join(tmpdir(), 'pact-provider-reports-'))

/** Where import directions are checked. */
const sources = ['app', 'bench', 'components', 'lib', 'cli', 'scripts', 'e2e', 'examples', 'server.ts']

/** @typedef {import('./test-counts.js').Counts} Counts */
/** @typedef {import('./test-step.js').Place} Place */
/** @typedef {import('./test-step.js').Step} Step */

/**
 * A step that passes or fails as a whole.
 *
 * @param {string} name
 * @param {(place: Place) => Promise<boolean | void>} work
 * @returns {Step}
 */
function check(name, work) {
  return {
    name,
    work: async (place) => {
      try {
        return { passed: 0, failed: (await work(place)) === false ? 1 : 0 }
      } catch (error) {
        place.say(error instanceof Error ? error.message : String(error))
        return { passed: 0, failed: 1 }
      }
    },
  }
}

/** @type {Record<string, string>} */
let browser = {}

/**
 * A step that runs projects of vitest.config.ts.
 *
 * @param {string} name
 * @param {string[]} projects
 * @param {string[]} [reporting] arguments
 * @param {Record<string, string>} [env]
 * @returns {Step}
 */
function tests(name, projects, reporting = ['--reporter=default'], env = {}) {
  const report = join(reports, `${projects.join('-')}.json`)
  const selected = projects.flatMap((project) => ['--project', project])
  const counting = ['--reporter=json', `--outputFile.json=${report}`]
  return {
    name,
    work: async ({ run }) => {
      const ok = await run('vitest', ['run', ...selected, ...reporting, ...counting], { ...browser, ...env })
      return readCounts(ok, () => readFileSync(report, 'utf8'))
    },
  }
}

/**
 * A step that runs the conformance suite, with its table.
 *
 * @param {string} name
 * @param {string} project
 */
function conformance(name, project) {
  const table = ['--reporter=default', '--reporter=./e2e/conformance/table-reporter.ts']
  return tests(name, [project], table, { E2E_REPORT: join('test-results', `${project}.json`) })
}

const generated = check('Generated code', ({ signal }) => ensurePrismaClient({ signal }))
const build = check('Build', ({ signal }) => ensureBuilt({ signal, aside: true }))
const checks = [
  check('Format and lint', ({ run }) => run('biome', ['ci', '--error-on-warnings'])),
  check('Types of pages', ({ signal }) => ensurePageTypes({ signal })),
  check('Types', ({ run }) => run('tsc', ['--noEmit'])),
  check('Import directions', ({ run }) =>
    run('depcruise', ['--config', '.dependency-cruiser.js', ...sources]),
  ),
]
const unitAndDatabase = tests('Unit and database tests', ['unit', 'db'])
const findingBrowser = check('Browser', async () => {
  browser = await findBrowser()
})
const endToEnd = tests('End-to-end tests', ['e2e'])
const conformances = [
  conformance('Conformance', 'conformance'),
  conformance('Conformance of two instances, and of a Brand with a bot', 'conformance-two-instances'),
  conformance('Conformance of a Brand that a model speaks for', 'conformance-of-a-model'),
]

/** @type {string[]} */
const summary = []
let total = { passed: 0, failed: 0 }

/** @param {import('./test-step.js').Result} result */
function count({ name, counts, seconds }) {
  total = addCounts(total, counts)
  summary.push(`${counts.failed === 0 ? 'ok    ' : 'FAILED'}  ${name}  (${seconds.toFixed(1)} s)`)
}

await ensureInstalled()
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => stopSteps(signal))
}
// Each step runs even when one before it failed.
count(await showStep(generated))
// The tests wait now and then: the rest goes on meanwhile, the build first, which the browser tests need.
const building = keepStep(build, { urgent: false })
let before = building.ended
const checking = checks.map((step) => {
  const kept = keepStep(step, { after: before, urgent: false })
  before = kept.ended
  return kept
})
count(await showStep(unitAndDatabase))
count(await building.show())
count(await showStep(findingBrowser))
count(await showStep(endToEnd))
for (const kept of checking) count(await kept.show())
for (const kept of conformances.map((step) => keepStep(step))) count(await kept.show())

rmSync(reports, { recursive: true, force: true })
if (stopping.aborted) process.exit(130)
console.log(`\n${summary.join('\n')}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed === 0 ? 0 : 1)
