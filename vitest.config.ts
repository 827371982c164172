import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The longest: one that began late would go on alone when all others have ended. */
const longest = /console-(sweep|brands|roles)|consent\.test/

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => longest.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/** The files of a worker share what they import: half of a run would go into loading it anew for each. */
const sharing = { isolate: false, setupFiles: ['e2e/harness/fresh-process-state.ts'] }

/** The conformance suite against this project's own Provider, unless `E2E_PROVIDER` says another. */
function conformance(name: string, env: Record<string, string> = {}): TestProjectConfiguration {
  return {
    test: {
      name,
      include: ['e2e/conformance/**/*.test.ts'],
      globalSetup: ['e2e/harness/database-server.ts'],
      env,
      testTimeout: 120_000,
      hookTimeout: 120_000,
      fileParallelism: false,
    },
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{lib,cli,bench,examples,scripts,app,components}/**/*.test.{ts,tsx}', '*.test.ts'],
          exclude: ['**/*.db.test.ts', '**/node_modules/**'],
          ...sharing,
          testTimeout: 20_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'db',
          include: ['{lib,cli,bench,examples,scripts,app,e2e}/**/*.db.test.ts'],
          globalSetup: ['e2e/harness/database-server.ts'],
          ...sharing,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: ['e2e/conformance/**', '**/*.db.test.ts'],
          globalSetup: ['e2e/harness/database-server.ts'],
          ...sharing,
          // What a page shows once its script has run, a busy machine shows late.
          expect: { poll: { timeout: 10_000 } },
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 3,
        },
      },
      conformance('conformance'),
      // With another driver, too: on the wire it makes no difference.
      conformance('conformance-two-instances', { OWN_INSTANCES: '2', OWN_DRIVER: 'webhook' }),
      conformance('conformance-of-a-model', { OWN_DRIVER: 'llm' }),
    ],
  },
})
