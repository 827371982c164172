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
