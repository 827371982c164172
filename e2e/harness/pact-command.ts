import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

export type PactOutcome = { code: number | null; out: string; err: string }

/** Runs a command of the CLI as a process of its own. @param env added to this process's */
export function runPact(env: Record<string, string>, args: readonly string[]): Promise<PactOutcome> {
  const child = spawn(process.execPath, [join(root, 'cli/main.ts'), ...args], {
    cwd: root,
    env: { ...process.env, ALLOW_LOOPBACK: '1', ...env },
  })
  const outcome: PactOutcome = { code: null, out: '', err: '' }
  child.stdout.on('data', (data) => {
    outcome.out += data
  })
  child.stderr.on('data', (data) => {
    outcome.err += data
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })))
}
