import { readFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import pg from 'pg'

/** What the figures were measured on. */
export type Machine = {
  cpu: string
  cores: number
  memoryGiB: number
  os: string
  node: string
  postgres: string
}

async function distribution(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '')
  return /^PRETTY_NAME="?([^"\n]*)/m.exec(text)?.[1] ?? `${type()} ${release()}`
}

async function postgresVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
    return rows[0]?.server_version ?? 'unknown'
  } finally {
    await client.end()
  }
}

/** Describes this machine and the database at `url`. */
export async function describeMachine(url: string): Promise<Machine> {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    os: await distribution(),
    node: process.versions.node,
    postgres: await postgresVersion(url),
  }
}

/** The machine on one line. */
export function formatMachine({ cpu, cores, memoryGiB, os, node, postgres }: Machine): string {
  return `${cpu}, ${cores} cores, ${memoryGiB} GiB, ${os}; Node ${node}, PostgreSQL ${postgres} with its default durability, driver on the same machine`
}
