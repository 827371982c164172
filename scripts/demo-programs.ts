import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { config } from '#lib/platform/config.ts'
import { assertPortFree, PortError } from './port.ts'
import { ownNode, root } from './root.js'

/** A program that plays one of the demo's other parties. */
type DemoProgram = {
  /** Reads on from "the". */
  name: string
  file: string
  /** Where the demo's provision file has it. */
  port: number
  /** The environment variable that says another. */
  variable: string
  /** What it needs to know, when it is at `port`. */
  environment(port: number): Record<string, string>
}

const programs = {
  brand: {
    name: 'demo Brand',
    file: 'examples/brand/main.ts',
    port: 3200,
    variable: 'DEMO_BRAND_PORT',
    environment: (port) => ({
      PROVIDER_URL: config().providerUrl,
      BRAND_URL: urlOf(port),
      DATA_DIR: config().dataDir,
    }),
  },
  model: {
    name: 'demo model',
    file: 'examples/model/main.ts',
    port: 3300,
    variable: 'DEMO_MODEL_PORT',
    environment: (port) => ({ MODEL_PORT: String(port) }),
  },
  bot: {
    name: 'demo bot',
    file: 'examples/bot/main.ts',
    port: 3400,
    variable: 'DEMO_BOT_PORT',
    environment: (port) => ({ PROVIDER_URL: config().providerUrl, BOT_URL: `${urlOf(port)}/turn` }),
  },
} as const satisfies Record<string, DemoProgram>

type Part = keyof typeof programs

/** Where the demo's programs are. */
export type DemoPorts = Readonly<Record<Part, number>>

const parts = Object.keys(programs) as Part[]

/** A program of the demo can't be run. The message says what to do. */
export class DemoProgramError extends Error {
  override name = 'DemoProgramError'
}

function urlOf(port: number): string {
  return `http://localhost:${port}`
}

function readPort(
  { port, variable }: DemoProgram,
  environment: Readonly<Record<string, string | undefined>>,
): number {
  const text = environment[variable] || String(port)
  const given = Number(text)
  if (/^\d+$/.test(text) && given >= 1 && given <= 65_535) return given
  throw new DemoProgramError(`${variable} must be a port number`)
}

/**
 * The ports of the demo's programs: their own, unless the environment says others.
 *
 * @param taken where the Provider itself is to listen
 * @throws DemoProgramError also where two would have the same
 */
export function readDemoPorts(
  environment: Readonly<Record<string, string | undefined>>,
  taken: number,
): DemoPorts {
  const users = new Map([[taken, 'the Provider']])
  const ports = parts.map((part) => {
    const { name, variable } = programs[part]
    const port = readPort(programs[part], environment)
    const user = users.get(port)
    if (user) {
      throw new DemoProgramError(
        `Port ${port} is for ${user} and for the ${name}: set ${variable} to another, or start with --no-demo`,
      )
    }
    users.set(port, `the ${name}`)
    return [part, port] as const
  })
  return Object.fromEntries(ports) as Record<Part, number>
}

/** The demo's provision file with its programs at these ports. */
export function moveDemo(provision: string, ports: Partial<DemoPorts>): string {
  return provision.replaceAll(/http:\/\/localhost:(\d+)/g, (whole, digits: string) => {
    const part = parts.find((each) => programs[each].port === Number(digits))
    const port = part && ports[part]
    return port === undefined ? whole : urlOf(port)
  })
}

/** @throws DemoProgramError when something else listens at one of them */
export async function assertDemoPortsFree(ports: DemoPorts): Promise<void> {
  for (const part of parts) {
    const { name, variable } = programs[part]
    await assertPortFree(ports[part], 'localhost').catch((error: unknown) => {
      if (!(error instanceof PortError)) throw error
      throw new DemoProgramError(
        `Port ${ports[part]}, for the ${name}, is in use: stop what runs there, set ${variable} to another, or start with --no-demo`,
      )
    })
  }
}

async function startProgram(program: DemoProgram, port: number): Promise<() => Promise<void>> {
  const child = spawn(ownNode, [join(root, program.file)], {
    cwd: root,
    // It gets none of the Provider's secrets.
    env: { PATH: process.env.PATH, NODE_ENV: process.env.NODE_ENV, ...program.environment(port) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C in a terminal reaches this process alone, which ends the program in its turn.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const serving = new Promise<void>((resolve) => child.once('message', () => resolve()))
  const failed = ended.then(() => {
    throw new DemoProgramError(`The ${program.name} does not run: npm start -- --no-demo starts without it`)
  })
  await Promise.race([serving, failed])
  failed.catch(() => {})
  child.channel?.unref()
  child.unref()
  return async () => {
    child.ref()
    child.kill('SIGTERM')
    await ended
  }
}

/**
 * Starts the demo's programs, each as a process of its own.
 *
 * @param onStarted is given what ends a program, as soon as it serves
 * @throws DemoProgramError when one ends before; it has said why
 */
export async function startDemoPrograms(
  ports: DemoPorts,
  onStarted: (stop: () => Promise<void>) => void,
): Promise<void> {
  await Promise.all(parts.map(async (part) => onStarted(await startProgram(programs[part], ports[part]))))
}
