import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt, ensurePrismaClient } from './generated-code.js'
import { ensureInstalled } from './install.js'
import { ownNode, root } from './root.js'
import { ToolError } from './run-tool.js'

await ensureInstalled()
try {
  await ensurePrismaClient()
  await ensureBuilt()
} catch (failure) {
  if (!(failure instanceof ToolError)) throw failure
  console.error(failure.message)
  process.exit(1)
}

const bench = spawn(ownNode, [join(root, 'bench', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})

// A terminal sends Ctrl-C to both programs: the bench ends first, and leaves nothing behind.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => bench.kill('SIGTERM'))

bench.on('error', (error) => {
  console.error(`The bench can't be started: ${error.message}`)
  process.exit(1)
})
bench.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0))
})
