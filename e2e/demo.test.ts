import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRemoteJWKSet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { answerTurn } from '#examples/bot/meter-readings.ts'
import { serveBot } from '#examples/bot/serve.ts'
import { loadModels } from '#examples/model/models.ts'
import { type ModelServer, serveModel } from '#examples/model/serve.ts'
import { type DemoPorts, moveDemo } from '#scripts/demo-programs.ts'
import { startDemoBrand } from './harness/demo-brand.ts'
import { startTestProvider, type TestProvider } from './harness/provider.ts'
import { findUnusedPort } from './harness/start.ts'

const root = join(import.meta.dirname, '..')

let folder: string
let issuer: string
let provider: TestProvider
let stopBrand: () => Promise<void>
let model: ModelServer
let stopBot: () => Promise<void>

/** The demo's Brand that has a bot of its own. */
const NORTHLIGHT = '01M8KZK7WJXQ75HH7Z3YJ3H5BM'

/** The demo as `npm start` provides it, at ports that are free. */
async function readDemoProvision(ports: DemoPorts): Promise<unknown> {
  const text = await readFile(join(root, 'examples/demo.yaml'), 'utf8')
  return parse(moveDemo(text, ports).replaceAll('http://localhost:3100', issuer))
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pact-demo-'))
  issuer = `http://localhost:${await findUnusedPort()}`
  const brandPort = await findUnusedPort()
  model = await serveModel(await loadModels())
  const botPort = await findUnusedPort()
  const ports = { brand: brandPort, model: Number(new URL(model.url).port), bot: botPort }
  const provision = await readDemoProvision(ports)
  provider = await startTestProvider({ provision: () => provision })
  const keys = createRemoteJWKSet(new URL(`${provider.url}/a2a/${NORTHLIGHT}/oauth/jwks.json`))
  stopBot = await serveBot({ url: `http://localhost:${botPort}/turn`, keys, answer: answerTurn })
  stopBrand = await startDemoBrand(`http://localhost:${brandPort}`, `${provider.url}/a2a/${provider.brandId}`)
})

afterAll(async () => {
  await stopBrand?.()
  await model?.close()
  await stopBot?.()
  await provider?.close()
  await rm(folder, { recursive: true })
})

/** Runs `npm run demo` to its end; nobody sits at a keyboard. */
function demo(...args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env, PA_ISSUER: issuer, PROVIDER_URL: provider.url, DATA_DIR: folder }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts/demo.js'), '--approve', 'jane', ...args],
      { env },
      (_failure, stdout, stderr) => resolve({ code: child.exitCode, output: stdout + stderr }),
    )
    child.stdin?.end()
  })
}

describe('npm run demo walks the whole of §5', { timeout: 120_000 }, () => {
  it('asks, steps up, verifies receipts, steps up for one more scope, lists and withdraws', async () => {
    const { code, output } = await demo('--brand', 'loom', '--walk')
    const expected = [
      'You > Show my orders',
      'Loom & Thread > I need permission to look up your orders.',
      '·  orders:read Look up your orders and their status',
      /code +[A-Z]{4}-[A-Z]{4}/,
      'You have allowed: orders:read.',
      'Loom & Thread > A-88213: being packed. A-87390: shipped. A-85102: delivered.',
      /receipt +verified: as jane-4471, did list_orders/,
      'You > Cancel order A-88213',
      'Loom & Thread > I need permission to cancel orders.',
      /receipt +verified: as jane-4471, did nothing/,
      'You have allowed: orders:read, orders:cancel.',
      'Loom & Thread > Order A-88213 is cancelled. The refund posts in 3 to 5 days.',
      /receipt +verified: as jane-4471, did list_orders.*, cancel_order \(.+…\) under orders:read, orders:cancel/,
      'You > /access',
      '·  orders:cancel Cancel an order that has not shipped',
      'You > /revoke',
      'Your permission is withdrawn.',
    ]
    let rest = output
    for (const line of expected) {
      const found = typeof line === 'string' ? rest.indexOf(line) : rest.search(line)
      expect(found, `${line} in\n${output}`).toBeGreaterThanOrEqual(0)
      rest = rest.slice(found + 1)
    }
    expect(code).toBe(0)
  })

  it('says in the Brand’s words what can’t be done', async () => {
    const { code, output } = await demo(
      '--brand',
      'loom',
      '--say',
      'Cancel order A-87390',
      '--say',
      '/revoke',
    )
    expect(output).toContain('Order A-87390 is not cancelled. The order has left the warehouse.')
    expect(code).toBe(0)
  })

  it('asks for permission again once it was withdrawn', async () => {
    const { output } = await demo(
      ...['--brand', 'loom', '--say', 'Show my orders', '--say', '/revoke', '--say', 'Show my orders'],
    )
    expect(output.match(/I need permission to look up your orders/g)).toHaveLength(2)
    expect(output.match(/A-87390: shipped/g)).toHaveLength(2)
  })
})

it('npm run demo talks with a Brand whose agent a model speaks for', async () => {
  const { code, output } = await demo('--brand', 'willow', '--say', 'I need a check-up', '--say', 'Monday')
  expect(output).toContain('Willow Lane Dental > Gladly. Which day suits you, from Monday to Friday?')
  expect(output).toContain('Willow Lane Dental > Monday is good. Would you rather come in the morning')
  expect(code).toBe(0)
})

it('npm run demo talks with a Brand that has a bot of its own', async () => {
  const said = ['--say', 'I have a meter reading', '--say', 'N-20417', '--say', '10482']
  const { code, output } = await demo('--brand', 'northlight', ...said)
  expect(output).toContain('Northlight Energy > Happy to take it. What is the number of your meter?')
  expect(output).toContain('Northlight Energy > I have noted 10482 kWh for meter N-20417.')
  expect(code).toBe(0)
})
