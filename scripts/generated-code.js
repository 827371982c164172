import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { step } from './progress.js'
import { ownNode, root } from './root.js'
import { runTool } from './run-tool.js'
import { withSetupLock } from './setup-lock.js'
import { hashSources, isCurrent, makeUnlessCurrent } from './stamp.js'

const bin = join(root, 'node_modules', '.bin')
const buildSources = [
  'app',
  'components',
  'lib',
  'public',
  'prisma/schema.prisma',
  'next.config.js',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'postcss.config.js',
]

/** @param {string} name */
function installedVersion(name) {
  return JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

/**
 * Like `makeUnlessCurrent`, one process at a time. Where nothing is to be made it writes nothing.
 *
 * @param {string} stamp
 * @param {string} hash
 * @param {() => Promise<unknown>} make
 * @param {AbortSignal | undefined} signal
 */
async function makeInTurn(stamp, hash, make, signal) {
  if (isCurrent(stamp, hash)) return
  await withSetupLock(() => makeUnlessCurrent(stamp, hash, make), { signal })
}

/**
 * Generates Prisma's client from the schema, unless it is current. Whatever imports `prisma/generated` comes after it.
 *
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function ensurePrismaClient({ signal } = {}) {
  const hash = hashSources(root, ['prisma/schema.prisma'], [installedVersion('prisma')])
  const make = () =>
    step('Generating the database client', () =>
      runTool(ownNode, [join(bin, 'prisma'), 'generate'], {
        // Any existing file: without the variable it would fetch an engine that is not used.
        env: { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, PRISMA_HIDE_UPDATE_MESSAGE: '1' },
        advice: 'Prisma could not generate its client from prisma/schema.prisma.',
        signal,
      }),
    )
  await makeInTurn(join(root, 'prisma', 'generated', '.sources'), hash, make, signal)
}

/**
 * Builds the pages, unless the build is current. Needs Prisma's client.
 *
 * @param {{ signal?: AbortSignal, aside?: boolean }} [options] `aside`: something else is shown meanwhile, and more urgent
 */
export async function ensureBuilt({ signal, aside = false } = {}) {
  const hash = hashSources(root, buildSources, [installedVersion('next')])
  const build = () =>
    runTool(ownNode, [join(bin, 'next'), 'build'], {
      env: { NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' },
      advice: 'The pages could not be built.',
      signal,
      aside,
    })
  const make = aside ? build : () => step('Building the pages', build)
  await makeInTurn(join(root, '.next', 'source-hash'), hash, make, signal)
}

/**
 * Writes the types that Next derives from the pages, so that the type check finds them.
 *
 * @param {{ signal?: AbortSignal }} [options]
 */
export async function ensurePageTypes({ signal } = {}) {
  await runTool(ownNode, [join(bin, 'next'), 'typegen'], {
    env: { NEXT_TELEMETRY_DISABLED: '1' },
    advice: "Next could not derive the pages' types.",
    signal,
  })
}
