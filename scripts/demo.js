import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './install.js'
import { ownNode, root } from './root.js'

await ensureInstalled()

const demo = spawn(ownNode, [join(root, 'examples/personal-agent/main.ts'), ...process.argv.slice(2)], {
  stdio: 'inherit',
  cwd: root,
})

// A terminal sends Ctrl-C to both programs: the demo decides what it means.
process.on('SIGINT', () => {})
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) process.on(signal, () => demo.kill(signal))

demo.on('error', (error) => {
  console.error(`The demo can't be started: ${error.message}`)
  process.exit(1)
})
demo.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0))
})
