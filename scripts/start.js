import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { ensureInstalled } from './install.js'
import { compileCache, ownNode, providerFlags, root } from './root.js'

await ensureInstalled()

const serve = join(root, 'scripts', 'serve.ts')
// Over the channel the child notices when this process is killed.
const child = spawn(ownNode, [...providerFlags, serve, ...process.argv.slice(2)], {
  cwd: root,
  env: {
    ...process.env,
    ...compileCache,
    NODE_ENV: process.env.NODE_ENV || 'production',
    // Where the operator stands: file names are relative to it.
    PACT_CALLER_DIR: process.env.INIT_CWD ?? process.cwd(),
  },
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
})

// The child takes a signal that reaches it twice, from the terminal and from here, for one.
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => child.kill(signal))
}

child.on('error', (error) => {
  console.error(`The Provider can't be started: ${error.message}`)
  process.exit(1)
})
child.on('exit', (code, signal) => {
  process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0))
})
