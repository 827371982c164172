import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { formatWithOptions } from 'node:util'
import { vi } from 'vitest'
import { runCommand } from '#cli/run-command.ts'
import { asNewProcess } from '#lib/platform/process-state.ts'

const root = join(import.meta.dirname, '../..')

export type PactOutcome = { code: number | null; out: string; err: string }

/** Runs a command of the CLI as a process of its own. @param env added to this process's */
export function spawnPact(env: Record<string, string>, args: readonly string[]): Promise<PactOutcome> {
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

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command of the CLI here, without what this process has in its `processState`: in a tenth of the time. One after the
 * other; what else this process does meanwhile must not need its state.
 *
 * @param env added to this process's
 */
export function runPact(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Promise<PactOutcome> {
  const running = last.then(() => runHere(env, args))
  last = running.catch(() => {})
  return running
}

async function runHere(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
): Promise<PactOutcome> {
  const outcome: PactOutcome = { code: null, out: '', err: '' }
  const written =
    (to: 'out' | 'err', end = '') =>
    (...values: unknown[]) => {
      outcome[to] += formatWithOptions({ colors: false }, ...values) + end
      return true
    }
  const writeTo =
    (to: 'out' | 'err') =>
    (text: string | Uint8Array, ...rest: unknown[]) => {
      const told = rest.find((each) => typeof each === 'function')
      if (told) queueMicrotask(() => told())
      return written(to)(typeof text === 'string' ? text : Buffer.from(text).toString())
    }
  const spies = [
    vi.spyOn(console, 'log').mockImplementation(written('out', '\n')),
    vi.spyOn(console, 'error').mockImplementation(written('err', '\n')),
    vi.spyOn(process.stdout, 'write').mockImplementation(writeTo('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(writeTo('err')),
  ]
  const before = { ...process.env }
  const given = Object.entries({ ALLOW_LOOPBACK: '1', ...env })
  for (const [name, value] of given) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  try {
    outcome.code = await asNewProcess(() => runCommand(args))
    return outcome
  } finally {
    for (const spy of spies) spy.mockRestore()
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
