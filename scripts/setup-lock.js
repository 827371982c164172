import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './root.js'

/** An empty lock that is older was left by a crash; in milliseconds. */
const EMPTY_TIME = 5_000

/**
 * When the process started, in the system's own count: another process with the same id has another one.
 *
 * @param {number} pid
 * @returns {string | undefined} undefined when there is no such process; empty when the system does not say
 */
function startTime(pid) {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EPERM') return undefined
  }
  try {
    // proc_pid_stat(5): the name, in brackets, may hold anything; the start time is the 22nd field.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? ''
  } catch {
    return ''
  }
}

/** @param {string} path */
function read(path) {
  try {
    return { text: readFileSync(path, 'utf8'), modified: statSync(path).mtimeMs }
  } catch {
    return undefined
  }
}

/** @param {{ text: string, modified: number }} lock */
function isStale({ text, modified }) {
  const [pid = '', started = ''] = text.split(' ')
  if (!(Number(pid) > 0)) return Date.now() - modified > EMPTY_TIME
  return startTime(Number(pid)) !== started
}

/**
 * @param {string} path
 * @returns {boolean} whether this process has it
 */
function take(path) {
  try {
    writeFileSync(path, `${process.pid} ${startTime(process.pid)}`, { flag: 'wx' })
    return true
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error
  }
  const lock = read(path)
  if (lock && isStale(lock) && read(path)?.text === lock.text) rmSync(path, { force: true })
  return false
}

/**
 * Runs `work` while no other process installs, generates or builds in this folder. Waits for its turn, and so `work` has
 * to check whether it is still needed.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @param {{ signal?: AbortSignal | undefined, path?: string }} [options] `signal` ends the wait
 * @returns {Promise<T>} what `work` returns
 */
export async function withSetupLock(work, { signal, path = join(root, '.setup.lock') } = {}) {
  for (let turn = 0; !take(path); turn += 1) {
    if (turn === 3) console.log('Waiting for another start …')
    await sleep(200, undefined, { signal })
  }
  const release = () => rmSync(path, { force: true })
  process.on('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}
