import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { stringify } from 'yaml'
import { freshDatabase } from './database.ts'
import { runPact } from './pact-command.ts'
import { playPersonalAgents, type TestPersonalAgent } from './personal-agents.ts'
import { AUDIENCE, BRAND_ID, buildTestProvision, CLOSING_TEXT, OTHER_BRAND_ID } from './provision.ts'

const root = join(import.meta.dirname, '../..')

/** One process of the product, and every line that it has printed. */
export type TestProcess = { url: string; logLines: string[]; child: ChildProcess; stop(): Promise<void> }

export type TestProvider = {
  url: string
  databaseUrl: string
  logLines: string[]
  /** The process at `url`. */
  child: ChildProcess
  brandId: string
  otherBrandId: string
  audience: string
  /** What a User says to end a conversation. */
  closingText: string
  personalAgent: TestPersonalAgent
  otherPersonalAgent: TestPersonalAgent
  disabledPersonalAgent: TestPersonalAgent
  /** Personal agents that publish their keys and are not registered. */
  strangers: TestPersonalAgent[]
  /** Publishes a new key of a personal agent beside its others. @returns the agent as it signs with the new one */
  publishNewKey(agent: TestPersonalAgent): Promise<TestPersonalAgent>
  /** Another process on the same database. `lane: false` sends the protocol through Next's door. */
  startProcess(options?: { lane?: boolean; env?: Record<string, string> }): Promise<TestProcess>
  /** The operator's CLI, on the same database. */
  pact(...args: string[]): Promise<string>
  /** Takes the database away while the processes run. */
  dropDatabase(): Promise<void>
  close(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address ? address.port : 0
}

async function startProcess(env: NodeJS.ProcessEnv): Promise<TestProcess> {
  const child = spawn(process.execPath, [join(root, 'e2e/harness/serve.ts')], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const logLines: string[] = []
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith('serving ')) resolve(line.slice('serving '.length))
      else logLines.push(line)
    })
    createInterface({ input: child.stderr }).on('line', (line) => logLines.push(line))
    void ended.then(() => reject(new Error(`the server ended before it served:\n${logLines.join('\n')}`)))
  })
  return {
    url,
    logLines,
    child,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/**
 * A whole Provider for a test: a database of its own, two Brands, played personal agents, and a process that serves.
 *
 * @param options.limits the Provider's rate limits; without them they are too high to be met
 */
export async function startTestProvider(
  options: {
    lane?: boolean
    limits?: unknown
    trust?: 'allowlist' | 'open'
    env?: Record<string, string>
    /** By which every process is known, where something stands in front of them. Default: each by its own address. */
    providerUrl?: string
    /** What to provide, in place of the test provision, to these registered personal agents. */
    provision?: (personalAgents: readonly TestPersonalAgent[]) => unknown
  } = {},
): Promise<TestProvider> {
  const database = await freshDatabase()
  const names = ['first', 'second', 'disabled', 'stranger', 'passer-by']
  const played = await playPersonalAgents(names)
  const [personalAgent, otherPersonalAgent, disabledPersonalAgent, ...strangers] = played.agents
  if (!personalAgent || !otherPersonalAgent || !disabledPersonalAgent) throw new Error('no personal agents')

  const env = {
    ...process.env,
    NODE_ENV: 'production' as const,
    DATABASE_URL: database.url,
    ALLOW_LOOPBACK: '1',
    ...options.env,
  }
  const pact = async (...args: string[]) => {
    const { code, out, err } = await runPact(env, args)
    if (code !== 0) throw new Error(err)
    return out
  }
  const folder = await mkdtemp(join(tmpdir(), 'pact-provision-'))
  const file = join(folder, 'provision.yaml')
  const registered = [personalAgent, otherPersonalAgent, disabledPersonalAgent]
  const { provision = (agents) => buildTestProvision(agents, options.limits, options.trust) } = options
  await writeFile(file, stringify(provision(registered)))
  await pact('apply', file)

  const processes: TestProcess[] = []
  const start = async ({ lane = true, env: more = {} } = {}) => {
    const port = String(await freePort())
    const PROVIDER_URL = options.providerUrl ?? `http://localhost:${port}`
    const started = await startProcess({ ...env, PORT: port, PROVIDER_URL, LANE: lane ? '1' : '0', ...more })
    processes.push(started)
    return started
  }
  const main = await start({ lane: options.lane ?? true })
  return {
    url: main.url,
    databaseUrl: database.url,
    logLines: main.logLines,
    child: main.child,
    brandId: BRAND_ID,
    otherBrandId: OTHER_BRAND_ID,
    audience: AUDIENCE,
    closingText: CLOSING_TEXT,
    personalAgent,
    otherPersonalAgent,
    disabledPersonalAgent,
    strangers,
    publishNewKey: played.publishNewKey,
    startProcess: start,
    pact,
    dropDatabase: () => database.drop(),
    async close() {
      await Promise.all(processes.map((started) => started.stop()))
      await played.close()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
