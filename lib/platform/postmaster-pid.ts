import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
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

/** The command line of a process, blanks between its words; empty when there is no such process. */
async function commandLine(pid: number): Promise<string> {
  if (process.platform !== 'linux') {
    const ps = promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)])
    return ps.then(({ stdout }) => stdout.trim()).catch(() => '')
  }
  const words = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return words.split('\0').join(' ')
}

/**
 * The process that serves the cluster in `folder`. A `postmaster.pid` that a crash left behind may name a process that
 * has since become another program's.
 *
 * @returns undefined when none does
 */
export async function findPostmaster(folder: string): Promise<PidFile | undefined> {
  const file = readPidFile(await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => ''))
  if (!file) return undefined
  const command = await commandLine(file.pid)
  return command.includes('postgres') && command.includes(folder) ? file : undefined
}
