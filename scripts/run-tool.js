import { spawn } from 'node:child_process'
import { lowerPriority } from './low-priority.js'
import { root } from './root.js'

/** How much of a failed program's output is shown, in lines. */
const SHOWN = 40
/** How long a program may take to end once it is told to, in milliseconds. */
const PATIENCE = 3_000

/** A program of a step failed. The message is the end of its output, and what to do. */
export class ToolError extends Error {
  /** @override */
  name = 'ToolError'
}

/** @param {string} output */
function tail(output) {
  return output.trimEnd().split('\n').slice(-SHOWN).join('\n')
}

/**
 * Sends a signal to a program and to what it started.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup({ pid }, signal) {
  try {
    if (pid) process.kill(-pid, signal)
  } catch {
    // The group has ended.
  }
}

/**
 * Ends a program whenever this process is told to end, or ends.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {AbortSignal | undefined} signal tells it in place of the process's own signals
 * @param {number | undefined} timeout in milliseconds
 */
function endInTime(child, signal, timeout) {
  let interrupted = false
  /** @type {NodeJS.Timeout | undefined} */
  let patience
  const end = () => {
    signalGroup(child, 'SIGTERM')
    patience ??= setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE)
  }
  const interrupt = () => {
    interrupted = true
    end()
  }
  const kill = () => signalGroup(child, 'SIGKILL')
  const limit = timeout ? setTimeout(end, timeout) : undefined
  const signals = signal ? [] : /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
  for (const name of signals) process.on(name, interrupt)
  process.on('exit', kill)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  child.once('close', () => {
    clearTimeout(limit)
    clearTimeout(patience)
    for (const name of signals) process.off(name, interrupt)
    process.off('exit', kill)
    signal?.removeEventListener('abort', end)
    // What it started may outlive it, and would go on writing.
    if (patience) kill()
    if (interrupted) process.exit(130)
  })
}

/**
 * Runs a program in the project's folder. Its output is shown only when it fails. When this process ends, or is told to,
 * the program and all that it started end first; then the process exits with status 130, unless there is a `signal`.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ advice: string, env?: Record<string, string>, signal?: AbortSignal | undefined, timeout?: number,
 *   aside?: boolean }} options
 *   `advice`: what to do when it fails; `signal` ends it; `timeout` in milliseconds; `aside`: it takes only the processor
 *   time that others leave
 * @returns {Promise<string>} its output, both streams
 * @throws {ToolError} when it fails or can't be started
 */
export function runTool(file, args, { advice, env = {}, signal, timeout, aside = false }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own: Ctrl-C in the terminal reaches it through this process alone.
      detached: true,
    })
    endInTime(child, signal, timeout)
    if (aside) lowerPriority(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', (error) => reject(new ToolError(`${error.message}\n${advice}`)))
    child.once('close', (code) => {
      if (code === 0) resolve(output)
      else reject(new ToolError(`${tail(output)}\n${advice}`))
    })
  })
}
