import { openSync } from 'node:fs'
import { join } from 'node:path'
import { providerFlags } from '#scripts/root.js'
import { type Child, startChild } from './child.ts'
import type { ServerAnswer, ServerCommand, Usage } from './contract.ts'
import type { FloorFacts } from './floor-facts.ts'
import type { TargetName } from './kinds.ts'

/** A server under test, and how many messages its database had at first. */
export type Target = {
  name: TargetName
  stored: number
  port: number
  usage(): Promise<Usage>
  stop(): Promise<void>
}

export type TargetSettings = {
  name: TargetName
  stored: number
  databaseUrl: string
  /** Where its log goes. */
  folder: string
  /** Where its CPU profile goes, if anywhere. */
  profiles: string | undefined
  /** What the floor can't look up. */
  floor: FloorFacts
}

function environment({ name, databaseUrl, floor }: TargetSettings): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    LANE: name === 'lane' ? '1' : '0',
    BENCH_FLOOR: JSON.stringify(floor),
  }
}

async function askUsage(child: Child<ServerCommand, ServerAnswer>): Promise<Usage> {
  const answer = await child.ask('usage')
  if ('usage' in answer) return answer.usage
  throw new Error('A server under test did not say what it uses')
}

/** Starts a server in a process of its own, configured as in production; its log goes to a file. */
export async function startTarget(settings: TargetSettings): Promise<Target> {
  const { name, stored, folder, profiles } = settings
  const execArgv = profiles
    ? ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${name}-${stored}.cpuprofile`]
    : []
  const child = startChild<ServerCommand, ServerAnswer>(
    name === 'floor' ? 'serve-floor.ts' : 'serve-provider.ts',
    {
      env: environment(settings),
      execArgv: [...providerFlags, ...execArgv],
      stdout: openSync(join(folder, `${name}-${stored}.log`), 'w'),
    },
  )
  const ready = await child.next()
  if (!('port' in ready)) throw new Error(`The ${name} did not say its port`)
  return { name, stored, port: ready.port, usage: () => askUsage(child), stop: () => child.end('stop') }
}
