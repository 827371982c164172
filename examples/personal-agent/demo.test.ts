import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runDemo } from './demo.ts'
import { findFreePort } from './free-port.ts'
import {
  type Answer,
  a2aError,
  type LoopbackProvider,
  type Received,
  startLoopbackProvider,
} from './loopback-provider.ts'
import { readOptions } from './options.ts'
import { openTerminal } from './terminal.ts'

let directory: string
let issuer: string
let provider: LoopbackProvider | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'personal-agent-'))
  issuer = `http://localhost:${await findFreePort()}`
})

afterEach(async () => {
  await provider?.close()
  provider = undefined
  await rm(directory, { recursive: true })
})

async function serve(respond: (received: Received[]) => Answer): Promise<LoopbackProvider> {
  provider = await startLoopbackProvider(issuer, respond)
  return provider
}

/** Runs the demo with `args`; the person types `typed`. */
async function demo(args: string[], typed: string[] = []) {
  const lines: string[] = []
  const env = { PA_ISSUER: issuer, DATA_DIR: directory, PROVIDER_URL: provider?.url ?? 'http://127.0.0.1:9' }
  const terminal = openTerminal((line) => lines.push(line))
  const worked = await runDemo(readOptions(args, env), terminal, async () => typed.shift()).catch(
    (problem: unknown) => {
      terminal.problem(problem)
      return false
    },
  )
  return { worked, text: lines.join('\n') }
}

function say(...texts: string[]): string[] {
  return texts.flatMap((text) => ['--say', text])
}

describe('the demo personal agent', { timeout: 15_000 }, () => {
  it('holds one conversation over several messages (§4.2)', async () => {
    const { received } = await serve((all) => `Reply ${all.length}`)
    const { worked, text } = await demo(say('One', 'Two'))
    expect(worked).toBe(true)
    expect(text).toMatch(/You > One\nLoom & Thread > Reply 1\nYou > Two\nLoom & Thread > Reply 2$/)
    expect(received.map(({ contextId }) => contextId)).toEqual([undefined, 'c-1'])
    expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(2)
    expect(received[0]?.headers).toMatchObject({ 'a2a-version': '1.0', 'content-type': 'application/json' })
  })

  it('signs each request anew, as the same User (§3.2)', async () => {
    const { received } = await serve(() => 'Yes.')
    await demo([...say('One', 'Two'), '--audience', 'urn:x'])
    await demo(say('Three'))
    const claims = received.map((each) => each.claims)
    for (const { iss, iat = 0, exp = 0 } of claims) {
      expect(iss).toBe(issuer)
      expect(exp - iat).toBe(120)
    }
    expect(claims.map(({ aud }) => aud)).toEqual(['urn:x', 'urn:x', 'urn:example:pact-provider'])
    expect(new Set(claims.map(({ sub }) => sub)).size).toBe(1)
    expect(new Set(claims.map(({ jti }) => jti)).size).toBe(3)
  })

  it('finds the Brand by card, wherever that redirects to (§2.1)', async () => {
    const { url } = await serve(() => 'Here.')
    expect((await demo([...say('Hi'), '--card', `${url}/redirect`])).text).toContain('Loom & Thread > Here.')
  })

  it('finds the Brand by its name, and says which there are', async () => {
    await serve(() => 'Here.')
    expect((await demo([...say('Hi'), '--brand', 'loom'])).worked).toBe(true)
    const { worked, text } = await demo([...say('Hi'), '--brand', 'Bakery'])
    expect(worked).toBe(false)
    expect(text).toContain('The Provider has no Brand "Bakery".\nIt has: Loom & Thread, Willow Lane Dental.')
  })

  it('lets the person choose a Brand, start over and leave', async () => {
    const { received } = await serve(() => 'Yes.')
    const { worked, text } = await demo([], ['7', '1', 'One', '', '/new', 'Two', '/quit', 'Three'])
    expect(worked).toBe(true)
    expect(text).toContain('1  Loom & Thread Clothes.\n  2  Willow Lane Dental Teeth.')
    expect(received.map(({ parts, contextId }) => [parts[0]?.text, contextId])).toEqual([
      ['One', undefined],
      ['Two', undefined],
    ])
  })

  it('ends when the person goes away', async () => {
    await serve(() => 'Yes.')
    const gone = await demo([], [])
    expect(gone.worked).toBe(false)
    expect(gone.text).toContain('The input ended before a Brand was chosen.')
    expect((await demo([], ['/quit'])).worked).toBe(true)
    expect((await demo([], ['1', 'One'])).worked).toBe(true)
  })

  it('starts a new conversation where the Brand closed the last one (§4.2)', async () => {
    const { received } = await serve(({ length }) =>
      length === 2 ? a2aError(400, 'UNSUPPORTED_OPERATION', 'The conversation is closed') : 'Yes.',
    )
    const { worked, text } = await demo(say('Bye', 'Hello again'))
    expect(worked).toBe(true)
    expect(text).toContain('The Brand has closed the conversation. This message starts a new one.')
    expect(received.map(({ contextId }) => contextId)).toEqual([undefined, 'c-1', undefined])
    expect(received[2]?.parts).toEqual([{ text: 'Hello again' }])
  })

  it('names what to check after a 401 (§3.4)', async () => {
    await serve(() => ({ status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="a2a"' } }))
    const { worked, text } = await demo(say('Hi'))
    expect(worked).toBe(false)
    expect(text).toContain(`registered, with the issuer ${issuer}`)
    expect(text).toContain(`pact -- pa enable ${issuer}`)
    expect(text).toContain('audience is urn:example:pact-provider')
  })

  it('waits once as long as a 429 asks, and sends the same message again (§6)', async () => {
    const busy: Answer = { status: 429, headers: { 'Retry-After': '1' } }
    const { received } = await serve(({ length }) => (length === 1 ? busy : 'Yes.'))
    const before = performance.now()
    const { worked, text } = await demo(say('Hi'))
    expect(worked).toBe(true)
    expect(performance.now() - before).toBeGreaterThan(900)
    expect(text).toContain('asks to wait 1 s')
    expect(received[1]?.messageId).toBe(received[0]?.messageId)
  })

  it('gives up when the second answer is 429 too, or the wait is long', async () => {
    let wait = '1'
    const { received } = await serve(() => ({ status: 429, headers: { 'Retry-After': wait } }))
    expect(await demo(say('Hi'))).toMatchObject({
      worked: false,
      text: expect.stringContaining('slow down (429)'),
    })
    expect(received).toHaveLength(2)
    wait = '3600'
    expect((await demo(say('Hi'))).worked).toBe(false)
    expect(received).toHaveLength(3)
  })

  it('stops at the first failure, and says what the error was (§6)', async () => {
    const { received } = await serve(() => a2aError(500, 'INTERNAL', 'Internal error'))
    const { worked, text } = await demo(say('One', 'Two'))
    expect(worked).toBe(false)
    expect(text).toContain("The Brand's agent failed. (INTERNAL: Internal error)\nSay it again")
    expect(received).toHaveLength(1)
  })

  it('goes on after a failure where a person is typing', async () => {
    const { received } = await serve(({ length }) => (length === 1 ? a2aError(500, 'INTERNAL', 'x') : 'Yes.'))
    const { worked, text } = await demo([], ['1', 'One', 'Two'])
    expect(worked).toBe(false)
    expect(text).toContain('Loom & Thread > Yes.')
    expect(received).toHaveLength(2)
  })

  it.each([
    ['nothing', { status: 200 }],
    ['another shape', { status: 200, body: { message: { parts: [] } } }],
    ['a bare 502', { status: 502, body: 'Bad gateway' }],
    ['a redirect', { status: 302, headers: { Location: '/elsewhere' } }],
  ])('does not take %s for a reply', async (_name, answer) => {
    await serve(() => answer)
    expect((await demo(say('Hi'))).worked).toBe(false)
  })

  it('says how to start a Provider that is not running', async () => {
    const { worked, text } = await demo(say('Hi'))
    expect(worked).toBe(false)
    expect(text).toContain('Nothing answers at http://127.0.0.1:9.\nStart the Provider with: npm start')
  })

  it('shows what a Brand sends as inert characters', async () => {
    await serve(
      () => '\u001b[31mRed\u001b[0m\u001b]0;title\u0007 \u009b2Jclear\rover\u202Eesrever\nYou > fake',
    )
    expect((await demo(say('Hi'))).text).toMatch(/Loom & Thread > Red clearoveresrever\n {4}You > fake$/)
  })

  it('shows the permission that a turn asks for (§5.5)', async () => {
    await serve(() => ({
      status: 200,
      body: {
        task: {
          id: 't-1',
          contextId: 'c-1',
          status: {
            state: 'TASK_STATE_AUTH_REQUIRED',
            message: { role: 'ROLE_AGENT', parts: [{ text: 'I need permission.' }] },
          },
          metadata: {
            'pact.missingScopes': ['orders:read'],
            'pact.verificationUriComplete': 'https://b.example/x',
          },
        },
      },
    }))
    const { worked, text } = await demo(say('Hi'))
    expect(worked).toBe(true)
    expect(text).toContain('needs your permission: orders:read')
    expect(text).toContain('https://b.example/x')
    expect(text).toContain('Loom & Thread > I need permission.')
  })
})
