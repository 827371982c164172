import { spawn } from 'node:child_process'
import { root } from './root.js'

/** How much of a failed program's output is shown, in lines. */
const SHOWN = 40

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
 * Runs a program in the project's folder. Its output is shown only when it fails.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {{ advice: string, env?: Record<string, string>, signal?: AbortSignal | undefined, timeout?: number }} options
 *   `advice`: what to do when it fails; `timeout` in milliseconds
 * @returns {Promise<string>} its output, both streams
 * @throws {ToolError} when it fails or can't be started
 */
export function runTool(file, args, { advice, env = {}, signal, timeout }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal,
      timeout,
    })
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
