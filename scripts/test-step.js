import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { lowerPriority } from './low-priority.js'
import { compileCache, ownNode, root } from './root.js'

/** @typedef {import('./test-counts.js').Counts} Counts */
/** @typedef {(program: string, args: string[], env?: Record<string, string>) => Promise<boolean>} Run */

/**
 * Where a step runs: `run` is for programs of node_modules and tells whether they succeed, `say` for what the step itself
 * has to say; `signal` ends what it runs in other ways.
 *
 * @typedef {{ run: Run, say: (text: string) => void, signal: AbortSignal }} Place
 */
/** @typedef {{ name: string, work: (place: Place) => Promise<Counts> }} Step */
/** @typedef {{ name: string, counts: Counts, seconds: number }} Result */

const bin = join(root, 'node_modules', '.bin')

/** Which children get a signal that only this process received. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
const stop = new AbortController()

/** Aborted by {@link stopSteps}. */
export const stopping = stop.signal

/**
 * Tells all that runs to end. What has not begun fails from now on, and shows nothing.
 *
 * @param {NodeJS.Signals} signal
 */
export function stopSteps(signal) {
  stop.abort()
  for (const child of running) child.kill(signal)
}

/**
 * Starts a program of node_modules with the project's own Node.
 *
 * @param {string} program
 * @param {string[]} args
 * @param {Record<string, string> | undefined} env
 * @param {import('node:child_process').StdioOptions} stdio
 */
function start(program, args, env, stdio) {
  // First in PATH: what the tests start by the name of node is this one too.
  const PATH = `${bin}:${process.env.PATH}`
  const child = spawn(ownNode, [join(bin, program), ...args], {
    cwd: root,
    env: { ...process.env, ...compileCache, PATH, ...env },
    stdio,
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  child.once('error', () => running.delete(child))
  return child
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<boolean>} whether it succeeded, once its output is complete
 */
function succeeds(child) {
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('close', (code) => resolve(code === 0))
  })
}

/** @type {Place} */
const shown = {
  run: async (program, args, env) =>
    !stopping.aborted && (await succeeds(start(program, args, env, 'inherit'))),
  say: (text) => console.error(text),
  signal: stopping,
}

/**
 * @param {string[]} output takes what is written
 * @param {boolean} urgent
 * @returns {Place}
 */
function keptIn(output, urgent) {
  return {
    run: async (program, args, env) => {
      if (stopping.aborted) return false
      const child = start(program, args, env, ['ignore', 'pipe', 'pipe'])
      if (!urgent) lowerPriority(child)
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text) => output.push(text))
      }
      return succeeds(child)
    },
    say: (text) => output.push(`${text}\n`),
    signal: stopping,
  }
}

/** @param {Step} step @param {Place} place @returns {Promise<Result>} */
async function time({ name, work }, place) {
  const startedAt = performance.now()
  const counts = stopping.aborted ? { passed: 0, failed: 1 } : await work(place)
  return { name, counts, seconds: (performance.now() - startedAt) / 1000 }
}

/**
 * Runs a step, and shows what it writes as it goes.
 *
 * @param {Step} step
 */
export function showStep(step) {
  if (!stopping.aborted) console.log(`\n== ${step.name}`)
  return time(step, shown)
}

/**
 * Runs a step, and keeps what it writes.
 *
 * @param {Step} step
 * @param {{ after?: Promise<unknown>, urgent?: boolean }} [options] `after`: what must have ended; `urgent` false: it gets
 *   what processor time others leave
 * @returns {{ ended: Promise<unknown>, show: () => Promise<Result> }} `show` writes what it wrote, once it has ended
 */
export function keepStep(step, { after = Promise.resolve(), urgent = true } = {}) {
  /** @type {string[]} */
  const output = []
  const ended = after.then(() => time(step, keptIn(output, urgent)))
  return {
    ended,
    show: async () => {
      const result = await ended
      if (stopping.aborted) return result
      console.log(`\n== ${step.name}`)
      process.stdout.write(output.join(''))
      return result
    },
  }
}
