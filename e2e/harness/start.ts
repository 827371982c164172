import { type ChildProcess, spawn } from 'node:child_process'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What `npm start` runs, as a terminal would run it. */
export type Started = {
  child: ChildProcess
  /** All that it has printed so far. */
  output: { stdout: string; stderr: string }
  /** Resolves with the exit code once it and its output have ended. */
  ended: Promise<number | null>
  /** Resolves once it serves; rejects when it ends before. */
  serving: Promise<void>
}

/** Runs `npm start` in a process group of its own, with this environment on top of the test's. */
export function runStart(env: Record<string, string>, args: string[] = []): Started {
  const { DATABASE_URL: _url, NODE_ENV: _mode, ...own } = process.env
  const child = spawn(process.execPath, [join(root, 'scripts/start.js'), ...args], {
    cwd: root,
    env: { ...own, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const output = { stdout: '', stderr: '' }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const serving = new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output.stdout += text
      if (output.stdout.includes('Serving at')) resolve()
    })
    void ended.then(() => reject(new Error(`it ended before it served:\n${output.stdout}${output.stderr}`)))
  })
  serving.catch(() => {})
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  return { child, output, ended, serving }
}

/** Sends a signal to the whole process group, as Ctrl-C in a terminal does. */
export function signalGroup({ child }: Started, signal: NodeJS.Signals): void {
  if (child.pid) process.kill(-child.pid, signal)
}

/** Listens on a free port of every address. */
export async function occupyPort(): Promise<{ port: number; server: Server }> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, server }
}

/** A port that nothing listens on. */
export async function findUnusedPort(): Promise<number> {
  const { port, server } = await occupyPort()
  await new Promise((resolve) => server.close(resolve))
  return port
}
