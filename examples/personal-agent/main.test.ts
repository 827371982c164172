import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort } from './free-port.ts'
import { type LoopbackProvider, startLoopbackProvider } from './loopback-provider.ts'

const program = fileURLToPath(new URL('./main.ts', import.meta.url))

let directory: string
let issuer: string
let provider: LoopbackProvider

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'personal-agent-'))
  issuer = `http://localhost:${await findFreePort()}`
  provider = await startLoopbackProvider(issuer, (received) => `Reply ${received.length}`)
})

afterAll(async () => {
  await provider.close()
  await rm(directory, { recursive: true })
})

/** Runs the program to its end. */
function run(
  args: string[],
  input?: string,
  more: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const env = {
      ...process.env,
      PA_ISSUER: issuer,
      DATA_DIR: directory,
      PROVIDER_URL: provider.url,
      ...more,
    }
    const child = execFile(process.execPath, [program, ...args], { env }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, output: stdout + stderr })
    })
    child.stdin?.end(input)
  })
}

describe('the demo as a program', { timeout: 30_000 }, () => {
  it('--say talks without a keyboard, in plain text where there is no terminal, and ends with 0', async () => {
    const { code, output } = await run(['--say', 'One', '--say', 'Two'])
    expect(output).toMatch(/You > One\nLoom & Thread > Reply \d+\nYou > Two\nLoom & Thread > Reply \d+\n$/)
    expect(output).not.toContain('\u001b')
    expect(code).toBe(0)
  })

  it('reads what is piped in', async () => {
    const { code, output } = await run([], '1\nHello\n/quit\n')
    expect(output).toMatch(/You > Hello\nLoom & Thread > Reply \d+\nYou > \/quit\n$/)
    expect(code).toBe(0)
  })

  it('ends with 1 and two lines of words when something fails', async () => {
    const { code, output } = await run(['--say', 'One', '--brand', 'Bakery'])
    expect(output).toBe('The Provider has no Brand "Bakery".\nIt has: Loom & Thread, Willow Lane Dental.\n')
    expect(code).toBe(1)
  })

  it.each([
    [['--nope'], /--help/],
    [['--card', 'loom'], /--card is not a URL/],
    [['--say', ' '], /nothing to say/],
  ])('%j is refused in words', async (args, words) => {
    const { code, output } = await run(args)
    expect(output).toMatch(words)
    expect(output).not.toMatch(/^ +at /m)
    expect(code).toBe(1)
  })

  it('ends with 1 when the input ends before a Brand was chosen', async () => {
    const { code, output } = await run([], '')
    expect(output).toMatch(/ended before a Brand was chosen\.\nName one with: --brand NAME\n$/)
    expect(code).toBe(1)
  })

  it('an issuer that is no URL is refused in words', async () => {
    const { code, output } = await run(['--say', 'One'], '', { PA_ISSUER: 'xyz' })
    expect(output).toBe('PA_ISSUER is xyz.\nIt must be like http://localhost:3100, on this machine.\n')
    expect(code).toBe(1)
  })

  it('--help shows how to use it', async () => {
    const { code, output } = await run(['--help'])
    expect(output).toContain('--say TEXT')
    expect(code).toBe(0)
  })
})
