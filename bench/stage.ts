import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { playPersonalAgents } from '#e2e/harness/personal-agents.ts'
import type { Closing } from '#scripts/closing.ts'
import { startChild } from './child.ts'
import type { DriverAnswer, DriverCommand } from './contract.ts'
import { type BenchCluster, createProvider, loadMessages, openCluster } from './database.ts'
import type { BenchOptions, TargetName } from './options.ts'
import { AUDIENCE, BRAND_ID, buildBenchProvision } from './provision.ts'
import type { Drive } from './rounds.ts'
import { startTarget, type Target } from './target.ts'

/** All that a run needs: servers under test, and what sends to them. */
export type Stage = {
  databaseUrl: string
  targets: Target[]
  drive: Drive
  path: string
  close(): Promise<void>
}

type Played = Awaited<ReturnType<typeof playPersonalAgents>>['agents'][number]
type Stored = { stored: number; names: readonly TargetName[] }

const RESULTS = join(import.meta.dirname, '../test-results')
/** Tokens and Users that the driver plays; a memory run has many Users, since each costs memory. */
const CAST = { subjects: 200, tokens: 2_000 }
const LARGE_CAST = { subjects: 20_000, tokens: 20_000 }

/** Which servers a run needs on which databases. */
export function planTargets({ only, load, messages }: BenchOptions): Stored[] {
  if (messages !== undefined) return [{ stored: 0, names: ['lane'] }]
  const all = (names: readonly TargetName[]) => names.filter((name) => only === undefined || name === only)
  const empty = { stored: 0, names: all(['floor', 'lane', 'next']) }
  return load === undefined ? [empty] : [empty, { stored: load, names: all(['floor', 'lane']) }]
}

async function openTargets(
  plan: Stored,
  cluster: BenchCluster,
  agent: Played,
  profiles: string | undefined,
): Promise<Target[]> {
  const { stored, names } = plan
  const provider = await createProvider(cluster, `bench_${stored}`, buildBenchProvision(agent))
  const owner = { brandId: BRAND_ID, personalAgentId: provider.personalAgentId }
  if (stored > 0) await loadMessages(provider.url, owner, stored)
  const floor = { jwk: toPublicJwk(agent.privateJwk), ...owner }
  const { folder } = cluster
  return Promise.all(
    names.map((name) => startTarget({ name, stored, databaseUrl: provider.url, folder, profiles, floor })),
  )
}

function toPublicJwk({ kty, crv, x, y }: Played['privateJwk']): object {
  return { kty, crv, x, y }
}

async function startDriver(agent: Played, large: boolean, closing: Closing): Promise<Drive> {
  const driver = startChild<DriverCommand, DriverAnswer>('driver.ts')
  closing.add(() => driver.end())
  const ask = async (command: DriverCommand) => {
    const answer = await driver.ask(command)
    if (answer.failure !== undefined) throw new Error(answer.failure)
    return answer.measured
  }
  const { issuer, privateJwk } = agent
  await ask({
    command: 'cast',
    cast: { issuer, privateJwk, audience: AUDIENCE, ...(large ? LARGE_CAST : CAST) },
  })
  return async (load) => {
    const measured = await ask({ command: 'load', load })
    if (!measured) throw new Error('The driver did not say what it measured')
    return measured
  }
}

/**
 * Starts everything.
 *
 * @param closing gets what must be closed, at once, so that a failure or Ctrl-C on the way leaves nothing behind
 */
export async function openStage(
  options: BenchOptions,
  closing: Closing,
  onProgress: (line: string) => void,
): Promise<Stage> {
  const profiles = options.profile ? join(RESULTS, 'profiles') : undefined
  if (profiles) mkdirSync(profiles, { recursive: true })
  const cluster = await openCluster()
  closing.add(() => cluster.stop())
  const played = await playPersonalAgents(['bench'])
  closing.add(() => played.close())
  const [agent] = played.agents
  if (!agent) throw new Error('There is no personal agent to play')
  const targets: Target[] = []
  for (const plan of planTargets(options)) {
    if (plan.stored > 0) onProgress(`storing ${plan.stored} messages …`)
    for (const target of await openTargets(plan, cluster, agent, profiles)) {
      targets.push(target)
      closing.add(() => target.stop())
    }
  }
  const drive = await startDriver(agent, options.messages !== undefined, closing)
  const path = `/a2a/${BRAND_ID}/message:send`
  return { databaseUrl: cluster.url, targets, drive, path, close: () => closing.run() }
}
