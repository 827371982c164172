import fc from 'fast-check'
import { CompactSign } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DelegatedSender, startDelegatedSender } from '#e2e/harness/delegated-sender.ts'
import { damaged, findForbidden, mutated } from '#e2e/harness/hostile.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { getSigner } from '#lib/keys/signer.ts'

let sender: DelegatedSender
let subject: string
let token: string

beforeAll(async () => {
  sender = await startDelegatedSender()
  const allowed = await sender.allow('orders:read', 'orders:cancel')
  subject = allowed.subject
  token = allowed.token
})
afterAll(() => sender.close())

const BAD_TOKEN = 'Bearer realm="a2a", error="invalid_token"'

/** True when a header holds the very bytes of the good token: Base64url has more than one spelling of some. */
function isGoodToken(header: string): boolean {
  const parts = (text: string) =>
    text
      .replace(/^bearer +/i, '')
      .trim()
      .split('.')
  const decoded = (text: string) => parts(text).map((part) => Buffer.from(part, 'base64url').toString('hex'))
  return decoded(header).join('.') === decoded(token).join('.')
}

/** Sends, and wants the one 401 of bad tokens, except for the good one. */
async function expectBadToken(header: string): Promise<void> {
  if (isGoodToken(header)) return
  let status = 401
  let challenge: string | null = BAD_TOKEN
  try {
    const sent = /\s|^$/.test(header) ? header : `Bearer ${header}`
    const answer = await sender.send('hello', { subject, token: sent })
    status = answer.status
    challenge = answer.headers.get('WWW-Authenticate')
  } catch (error) {
    // `Headers` itself can't carry what was generated.
    if (!(error instanceof TypeError)) throw error
  }
  expect({ status, challenge, header }).toEqual({ status: 401, challenge: BAD_TOKEN, header })
}

/** Sends, and wants an answer that §5.5 allows: a reply, or the one 401 of bad tokens. */
async function expectReplyOrBadToken(header: string, text = 'hello'): Promise<void> {
  let answer: Awaited<ReturnType<DelegatedSender['send']>>
  try {
    answer = await sender.send(text, { subject, token: /\s|^$/.test(header) ? header : `Bearer ${header}` })
  } catch (error) {
    // `Headers` itself can't carry what was generated.
    if (error instanceof TypeError) return
    throw error
  }
  const { status, headers, content } = answer
  const challenge = headers.get('WWW-Authenticate')
  if (status === 401 && challenge === BAD_TOKEN && content === '') return
  const forbidden = status === 200 ? findForbidden({ status, headers, body: content }) : `status ${status}`
  if (forbidden) throw new Error(`${forbidden}: ${header}`)
}

describe('§5.5 whatever stands in X-A2A-User-Delegation gets a reply or the one 401', () => {
  it('a damaged token', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constant(null).chain(() => damaged(`Bearer ${token}`)),
        (header) => expectBadToken(header),
      ),
      { numRuns: 200 },
    ))

  it('any text', () =>
    fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary-ascii', maxLength: 60 }), (header) =>
        expectBadToken(header),
      ),
      { numRuns: 200 },
    ))

  it('a rightly signed token with mutated claims and header', async () => {
    const { kid, privateKey } = await getSigner(BRAND_ID)
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    await fc.assert(
      fc.asyncProperty(mutated(claims), mutated({ kid, typ: 'at+jwt' }), async (payload, header) => {
        let signed: string
        try {
          signed = await new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
            .setProtectedHeader({ ...(header as Record<string, unknown>), alg: 'ES256' })
            .sign(privateKey)
        } catch {
          return
        }
        await expectReplyOrBadToken(signed)
      }),
      { numRuns: 300 },
    )
  })
})

describe('§6 whatever a Brand’s API answers', () => {
  it('the caller gets a reply: the call was sent', () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.record({ orders: fc.array(fc.jsonValue()) })),
        fc.constantFrom(200, 201, 204, 400, 500),
        async (json, status) => {
          sender.api.answerWith(() => (status === 204 ? { status } : { status, json }))
          const answer = await sender.send('my orders', { subject, token })
          const reason = answer.body.error?.details[0].reason
          expect({ status: answer.status, reason }).toEqual({ status: 200, reason: undefined })
        },
      ),
      { numRuns: 150 },
    ))
})
