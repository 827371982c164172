import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { drawTable, type Outcome, type Row } from './table.ts'

const outcomes = { passed: 'pass', failed: 'fail', skipped: 'not tested', pending: 'not tested' } as const

/** The first line of what a test said when it failed. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function rowOf(test: TestCase): Row {
  const requirement = test.meta().requirement ?? { section: '', level: 'MUST', text: test.name }
  const result = test.result()
  const why = result.state === 'skipped' ? result.note : result.errors?.[0]?.message
  const reason = firstLine(why ?? (result.state === 'pending' ? 'the run was interrupted' : ''))
  return { ...requirement, result: outcomes[result.state], why: reason }
}

/** Sections in the order of the specification: 3.2 before 3.10. */
function bySection(a: Row, b: Row): number {
  return a.section.localeCompare(b.section, 'en', { numeric: true })
}

/** What went wrong outside a test: a file that could not be loaded, a Provider that did not stop. */
function rowOfError(error: SerializedError): Row {
  return {
    section: '',
    level: 'MUST',
    text: 'the suite itself runs',
    result: 'fail',
    why: firstLine(error.message),
  }
}

/**
 * Vitest reporter: prints the requirements of the specification and what came of each, and writes the same to
 * `test-results/conformance.json`, or to the file that `E2E_REPORT` names. Its last line is `N passed, N failed, N skipped`.
 */
export default class TableReporter implements Reporter {
  #root = process.cwd()
  readonly #write: (text: string) => void

  constructor(options: { write?: (text: string) => void } = {}) {
    this.#write = options.write ?? ((text) => process.stdout.write(text))
  }

  onInit(vitest: Vitest): void {
    this.#root = vitest.config.root
  }

  onTestCaseResult(test: TestCase): void {
    if (test.result().state === 'failed') this.#write(`failed: ${test.name}\n`)
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const errors = [...modules.flatMap((module) => module.errors()), ...unhandled]
    const rows = [...tests.map(rowOf).sort(bySection), ...errors.map(rowOfError)]
    const count = (result: Outcome) => rows.filter((row) => row.result === result).length
    const counts = { passed: count('pass'), failed: count('fail'), skipped: count('not tested') }
    this.#save({ ...counts, requirements: rows })
    for (const test of tests) this.#explain(test)
    this.#write(`\n${drawTable(rows)}\n`)
    this.#write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }

  /** What a failed test expected, in full: the table has room for a line only. */
  #explain(test: TestCase): void {
    for (const error of test.result().errors ?? []) {
      const diff = error.diff ? `${stripVTControlCharacters(error.diff)}\n` : ''
      this.#write(`\nfailed: ${test.name}\n  ${error.message}\n${diff}`)
    }
  }

  #save(report: unknown): void {
    const file = resolve(this.#root, process.env.E2E_REPORT || 'test-results/conformance.json')
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
  }
}
