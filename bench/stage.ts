import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JWK } from 'jose'
import { playPersonalAgents } from '#e2e/harness/personal-agents.ts'
import type { Closing } from '#scripts/closing.ts'
import { startChild } from './child.ts'
import type { Cast, DriverAnswer, DriverCommand, ServerAnswer, ServerCommand } from './contract.ts'
import { type BenchCluster, createProvider, loadMessages, openCluster } from './database.ts'
import { chooseMeasured, type TargetName, targetNames } from './kinds.ts'
import { measuresDelegation, type OpenedDelegation, openDelegation } from './open-delegation.ts'
import type { BenchOptions } from './options.ts'
import { AUDIENCE, BRAND_ID, buildBenchProvision } from './provision.ts'
import type { Drive } from './rounds.ts'
import { startTarget, type Target } from './target.ts'

/** All that a run needs: servers under test, and what sends to them. */
export type Stage = {
  databaseUrl: string
  targets: Target[]
  drive: Drive
  close(): Promise<void>
}

type Played = Awaited<ReturnType<typeof playPersonalAgents>>['agents'][number]
type Stored = { stored: number; names: readonly TargetName[] }

const PROFILES = join(import.meta.dirname, '../test-results/profiles')
/** Tokens and Users that the driver plays; a memory run has many Users, since each costs memory. */
const CAST = { subjects: 200, tokens: 2_000 }
const LARGE_CAST = { subjects: 20_000, tokens: 20_000 }

/** Which servers a run needs on which databases. */
export function planTargets({ only, load, messages }: BenchOptions): Stored[] {
  if (messages !== undefined) return [{ stored: 0, names: ['lane'] }]
  const { targets } = chooseMeasured(only)
  const all = (names: readonly TargetName[]) => names.filter((name) => targets.includes(name))
  const empty = { stored: 0, names: all(targetNames) }
  return load === undefined ? [empty] : [empty, { stored: load, names: all(['floor', 'lane']) }]
}

/** What every server of a run gets. */
type Shared = { cluster: BenchCluster; agent: Played; api: string; options: BenchOptions; subjects: number }
type Opened = { targets: Target[]; delegation: OpenedDelegation | undefined }

async function openTargets({ stored, names }: Stored, shared: Shared): Promise<Opened> {
  const { cluster, agent, api, options, subjects } = shared
  const provider = await createProvider(cluster, `bench_${stored}`, buildBenchProvision(agent, api))
  const { personalAgentId, url: databaseUrl } = provider
  if (stored > 0) await loadMessages(databaseUrl, { brandId: BRAND_ID, personalAgentId }, stored)
  const { issuer } = agent
  const delegation =
    stored === 0 && measuresDelegation(options)
      ? await openDelegation(provider, names, options, { subjects, issuer })
      : undefined
  const jwk = toPublicJwk(agent.privateJwk)
  const floor = { jwk, issuer, personalAgentId, api, delegationJwk: delegation?.publicJwk }
  const profiles = options.profile ? PROFILES : undefined
  const settings = { stored, databaseUrl, folder: cluster.folder, profiles, floor }
  return { targets: await Promise.all(names.map((name) => startTarget({ name, ...settings }))), delegation }
}

function toPublicJwk({ kty, crv, x, y }: Played['privateJwk']): JWK {
  return { kty, crv, x, y } as JWK
}

async function startBrandApi(closing: Closing): Promise<string> {
  const child = startChild<ServerCommand, ServerAnswer>('serve-brand-api.ts')
  closing.add(() => child.end('stop'))
  const ready = await child.next()
  if (!('port' in ready)) throw new Error("The Brand's API did not say its port")
  return `http://localhost:${ready.port}`
}

async function startDriver(cast: Cast, closing: Closing): Promise<Drive> {
  const driver = startChild<DriverCommand, DriverAnswer>('driver.ts')
  closing.add(() => driver.end())
  const ask = async (command: DriverCommand) => {
    const answer = await driver.ask(command)
    if (answer.failure !== undefined) throw new Error(answer.failure)
    return answer.measured
  }
  await ask({ command: 'cast', cast })
  return async (load) => {
    const measured = await ask({ command: 'load', load })
    if (!measured) throw new Error('The driver did not say what it measured')
    return measured
  }
}

async function playAgent(closing: Closing): Promise<Played> {
  const played = await playPersonalAgents(['bench'])
  closing.add(() => played.close())
  const [agent] = played.agents
  if (!agent) throw new Error('There is no personal agent to play')
  return agent
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
  if (options.profile) mkdirSync(PROFILES, { recursive: true })
  const cluster = await openCluster()
  closing.add(() => cluster.stop())
  const agent = await playAgent(closing)
  const api = await startBrandApi(closing)
  const size = options.messages === undefined ? CAST : LARGE_CAST
  const shared = { cluster, agent, api, options, subjects: size.subjects }
  const targets: Target[] = []
  let delegation: OpenedDelegation | undefined
  for (const plan of planTargets(options)) {
    if (plan.stored > 0) onProgress(`storing ${plan.stored} messages …`)
    const opened = await openTargets(plan, shared)
    delegation ??= opened.delegation
    for (const target of opened.targets) {
      targets.push(target)
      closing.add(() => target.stop())
    }
  }
  const { issuer, privateJwk } = agent
  const delegationTokens = delegation?.delegationTokens ?? []
  const drive = await startDriver(
    { issuer, privateJwk, audience: AUDIENCE, delegationTokens, ...size },
    closing,
  )
  const supplied = delegation?.supply(drive) ?? drive
  return { databaseUrl: cluster.url, targets, drive: supplied, close: () => closing.run() }
}
