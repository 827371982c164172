import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensurePrismaClient } from './generated-code.js'
import { ensureInstalled } from './install.js'
import { compileCache, ownNode, root } from './root.js'

await ensureInstalled()
try {
  await ensurePrismaClient()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

const pact = spawn(ownNode, [join(root, 'cli', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  // Where the operator stands: file names are relative to it.
  env: { ...process.env, ...compileCache, PACT_CALLER_DIR: process.env.INIT_CWD ?? process.cwd() },
})

// A terminal sends Ctrl-C to both programs: the command ends first.
process.on('SIGINT', () => {})
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => pact.kill(signal))

pact.on('error', (error) => {
  console.error(`The command can't be started: ${error.message}`)
  process.exit(1)
})
pact.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0))
})
