import { execFile } from 'node:child_process'
import { readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** What PostgreSQL writes to `postmaster.pid` while it runs. */
export type PidFile = {
  pid: number
  /** Absent until it listens. */
  port?: number
}

/**
 * Reads the text of a `postmaster.pid`: process id, data folder, start time, port, one a line.
 *
 * @returns undefined when it is empty or is no such file
 */
export function readPidFile(text: string): PidFile | undefined {
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid < 1) return undefined
  const port = Number(lines[3])
  return Number.isInteger(port) && port > 0 ? { pid, port } : { pid }
}

/** Whether a process has this id, whoever it belongs to. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The path without symbolic links; `path` itself need not exist. */
export async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return join(await realpath(dirname(path)), basename(path))
  })
}

/** The words of a process's command line: none when it has ended; undefined when this process may not know. */
async function commandWords(pid: number): Promise<string[] | undefined> {
  if (process.platform !== 'linux') {
    const ps = promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return ps.then(({ stdout }) => stdout.trim().split(/\s+/)).catch(() => undefined)
  }
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return words?.split('\0').filter(Boolean)
}

/** Whether the command line has `-D` with this folder, however it spells it. `folder` is without symbolic links. */
async function namesFolder(words: readonly string[], folder: string): Promise<boolean> {
  const named = words[words.indexOf('-D') + 1]
  if (words.includes('-D') && named && (await realFolder(named).catch(() => named)) === folder) return true
  return words.join(' ').includes(`-D ${folder}`)
}

/** What the `postmaster.pid` of a folder says about it. */
export type PidFileState =
  /** `live`: PostgreSQL serves the folder. `other`: the process is a PostgreSQL, and not known to serve the folder. */
  | { kind: 'live' | 'other'; file: PidFile }
  /** There is none, or a crash left it: PostgreSQL's own start replaces it. */
  | { kind: 'none' }
  /** A process that is no PostgreSQL has got the number since a crash: PostgreSQL would not start. */
  | { kind: 'misleading' }
  /** PostgreSQL has created it, and not written to it yet. */
  | { kind: 'empty'; modified: Date }

/** Reads and judges the `postmaster.pid` of the cluster in `folder`, whichever way the folder is spelled. */
export async function judgePidFile(folder: string): Promise<PidFileState> {
  const path = join(folder, 'postmaster.pid')
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return { kind: 'none' }
  const file = readPidFile(text)
  if (!file) {
    const found = await stat(path).catch(() => undefined)
    return found ? { kind: 'empty', modified: found.mtime } : { kind: 'none' }
  }
  if (!isAlive(file.pid)) return { kind: 'none' }
  const words = await commandWords(file.pid)
  if (!words) return { kind: 'other', file }
  if (!/postgres|postmaster/.test(basename(words[0] ?? ''))) return { kind: 'misleading' }
  const serves = await namesFolder(words, await realFolder(folder))
  return { kind: serves ? 'live' : 'other', file }
}

/**
 * The process that serves the cluster in `folder`. A `postmaster.pid` that a crash left behind may name a process that
 * has since become another program's.
 *
 * @returns undefined when none does
 */
export async function findPostmaster(folder: string): Promise<PidFile | undefined> {
  const state = await judgePidFile(folder)
  return state.kind === 'live' ? state.file : undefined
}
