import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLocalJWKSet, exportJWK, FlattenedSign, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { buildBot } from './app.ts'
import { answerTurn } from './meter-readings.ts'
import type { Turn } from './turn.ts'

const url = 'http://localhost:3201/turn'

let privateKey: CryptoKey
let keys: ReturnType<typeof createLocalJWKSet>

beforeAll(async () => {
  const pair = await generateKeyPair('ES256')
  privateKey = pair.privateKey
  keys = createLocalJWKSet({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256' }] })
})

const turn = (text: string, state: Turn['state'] = {}): Turn => ({
  contextId: 'c-1',
  messageId: 'm-1',
  text,
  state,
  access: null,
})

/** As a Provider signs; `header` replaces members. */
async function sign(body: string, header: Record<string, unknown> = {}): Promise<string> {
  const iat = Math.floor(Date.now() / 1000)
  const right = { typ: 'pact-webhook+jws', b64: false, crit: ['b64'], url, iat, exp: iat + 60, jti: 'call-1' }
  const { protected: said, signature } = await new FlattenedSign(new TextEncoder().encode(body))
    .setProtectedHeader({ alg: 'ES256', kid: 'k', ...right, ...header })
    .sign(privateKey)
  return `${said}..${signature}`
}

describe('the bot', () => {
  it('takes a meter reading over the turns of a conversation', () => {
    const said = [
      'I want to hand in a meter reading',
      'it is new',
      'n-20417',
      'no idea',
      '10482',
      'my bill?',
      'Bye',
    ]
    let state: Turn['state'] = {}
    const answers = said.map((text) => {
      const answer = answerTurn(turn(text, state))
      if ('missingScopes' in answer) return expect.fail('no scope is needed')
      state = answer.state ?? state
      return answer
    })
    expect(answers.map(({ reply }) => reply)).toEqual([
      'Happy to take it. What is the number of your meter?',
      'I can take a meter reading or tell you our tariffs.',
      'Thank you. And what does meter N-20417 show?',
      'The digits before the comma are enough, such as 10482. What does meter N-20417 show?',
      'I have noted 10482 kWh for meter N-20417. Your next bill will use it. Is there anything else?',
      'Your bill comes on the third of the month. It will use the reading of 10482 kWh that you gave me.',
      'Goodbye from Northlight Energy.',
    ])
    expect(answers.at(-1)).toMatchObject({ close: true })
  })

  it('answers calls that its Provider signed, and no other', async () => {
    const bot = buildBot({ url, keys, answer: answerTurn })
    const body = JSON.stringify(turn('hello'))
    const post = (signature: string, content = body) =>
      bot.request(url, {
        method: 'POST',
        body: content,
        headers: { 'PACT-Signature': signature, 'Content-Length': String(Buffer.byteLength(content)) },
      })
    const answered = await post(await sign(body))
    expect([answered.status, await answered.json()]).toEqual([
      200,
      { reply: 'Hello, this is Northlight Energy. I take meter readings and know our tariffs.' },
    ])
    const past = Math.floor(Date.now() / 1000) - 61
    for (const signature of [
      '',
      'a..b',
      await sign(`${body} `),
      await sign(body, { typ: 'pact-receipt+jws' }),
      await sign(body, { typ: 'pact-rehearsal+jws' }),
      await sign(body, { url: `${url}/` }),
      await sign(body, { iat: past, exp: past + 60 }),
      await sign(body, { exp: undefined }),
    ]) {
      expect((await post(signature)).status).toBe(401)
    }
  })

  it('answers who tries it by what is made for that alone', async () => {
    const rehearse = () => ({ reply: 'Nothing is real.' })
    const bot = buildBot({ url, keys, answer: () => ({ reply: 'Done.' }), rehearse })
    const body = JSON.stringify(turn('cancel it'))
    const said = async (typ: string) => {
      const headers = {
        'PACT-Signature': await sign(body, { typ }),
        'Content-Length': String(Buffer.byteLength(body)),
      }
      return (await bot.request(url, { method: 'POST', body, headers })).json()
    }
    // Both under one id: an answer of one kind is none of the other.
    expect(await said('pact-rehearsal+jws')).toEqual({ reply: 'Nothing is real.' })
    expect(await said('pact-webhook+jws')).toEqual({ reply: 'Done.' })
    expect(await said('pact-rehearsal+jws')).toEqual({ reply: 'Nothing is real.' })
  })

  it('answers a call that is made again with its first answer', async () => {
    let count = 0
    const bot = buildBot({ url, keys, answer: () => ({ reply: `Answer ${++count}` }) })
    const post = async (jti: string) => {
      const body = JSON.stringify(turn('hello'))
      const headers = {
        'PACT-Signature': await sign(body, { jti }),
        'Content-Length': String(Buffer.byteLength(body)),
      }
      return (await bot.request(url, { method: 'POST', body, headers })).json()
    }
    expect([await post('a'), await post('a'), await post('b')]).toEqual([
      { reply: 'Answer 1' },
      { reply: 'Answer 1' },
      { reply: 'Answer 2' },
    ])
  })
})

describe('the verifier in the README', () => {
  it('is the one that runs here, and has at most twenty lines', async () => {
    const readme = await readFile(join(import.meta.dirname, 'README.md'), 'utf8')
    const shown = /```ts\n(?<code>[\s\S]*?)```/.exec(readme)?.groups?.code ?? ''
    expect(shown).toBe(await readFile(join(import.meta.dirname, 'verify-call.ts'), 'utf8'))
    expect(shown.trimEnd().split('\n').length).toBeLessThanOrEqual(20)
  })
})
