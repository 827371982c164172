import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { BRAND_USER } from '#e2e/harness/delegated-sender.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID } from '#e2e/harness/provision.ts'
import { buildSendBody, signPaToken } from '#e2e/harness/wire.ts'
import { interfaceUrl } from '#lib/brands/addresses.ts'
import { signDelegationToken } from '#lib/delegation/delegation-token.ts'
import { revokeGrant, withdrawScope } from '#lib/delegation/grants.ts'
import { pool, prisma } from '#lib/platform/database.ts'
import { handle } from './handle.ts'

const sender = delegatedSenderOfThisFile()

type Allowed = Awaited<ReturnType<typeof sender.allow>>

const revoke = ({ grantId }: Allowed) => revokeGrant({ brandId: BRAND_ID, grantId, by: 'user' })
const withdraw = ({ grantId }: Allowed, scope: string) =>
  withdrawScope({ brandId: BRAND_ID, grantId, scope, by: 'user' })

/** Well longer than a look at the grant counts, and than what is remembered of personal agents and Brands. */
const LOOK = 700
const MEMORY = 1_000

const badToken = [401, 'Bearer realm="a2a", error="invalid_token"', '']
const shown = (status: number, headers: Headers, content: string) => [
  status,
  headers.get('WWW-Authenticate'),
  content,
]

/** The request's head goes at once, its body after `meanwhile` has happened. */
async function sendSlowly(
  { subject, token }: Pick<Allowed, 'subject' | 'token'>,
  meanwhile: () => Promise<unknown>,
  content = JSON.stringify(buildSendBody('my orders')),
) {
  const source = {
    async pull(controller: ReadableStreamDefaultController) {
      await meanwhile()
      controller.enqueue(new TextEncoder().encode(content))
      controller.close()
    },
  }
  // It is asked for nothing before it is read.
  const body = new ReadableStream(source, { highWaterMark: 0 })
  const headers = {
    Authorization: `Bearer ${await signPaToken(sender.agent, { sub: subject })}`,
    'X-A2A-User-Delegation': `Bearer ${token}`,
  }
  const init = { method: 'POST', headers, body, duplex: 'half' }
  const response = await handle(new Request(`${interfaceUrl(BRAND_ID)}/message:send`, init))
  return shown(response.status, response.headers, await response.text())
}

beforeAll(async () => {
  // A rule that says what it could not finish.
  const { agent } = await prisma().brand.findUniqueOrThrow({ where: { id: BRAND_ID } })
  const { rules, ...others } = agent as { rules: object[] }
  const saying = rules.map((rule) => ('call' in rule ? { ...rule, failed: 'I had to stop.' } : rule))
  await prisma().brand.update({ where: { id: BRAND_ID }, data: { agent: { ...others, rules: saying } } })
})

describe('§5.5 what is taken back while the body is on its way', () => {
  it('a revoked grant makes the token bad, whatever the body is', async () => {
    for (const content of [undefined, '{']) {
      const allowed = await sender.allow('orders:read')
      const answer = await sendSlowly(
        allowed,
        async () => {
          await sleep(LOOK)
          await revoke(allowed)
        },
        content,
      )
      expect(answer).toEqual(badToken)
    }
    expect(sender.api.calls).toEqual([])
  })

  it('so do a reused refresh token and the token’s end', async () => {
    const ended = await sender.allow('orders:read')
    const reuse = async () => {
      await sleep(LOOK)
      const notBefore = new Date(Date.now() + 2_000)
      await prisma().grant.update({ where: { id: ended.grantId, brandId: BRAND_ID }, data: { notBefore } })
    }
    expect(await sendSlowly(ended, reuse)).toEqual(badToken)
    const { subject, grantId } = await sender.allow('orders:read')
    const { token } = await signDelegationToken({
      brandId: BRAND_ID,
      brandUserId: BRAND_USER,
      clientId: sender.agent.issuer,
      scopes: ['orders:read'],
      grantId,
      endsAt: Date.now() / 1000 + 2,
    })
    expect(await sendSlowly({ subject, token }, () => sleep(2_100))).toEqual(badToken)
    expect(sender.api.calls).toEqual([])
  })

  it.each([
    [
      'personal agent',
      `UPDATE "PersonalAgent" SET "enabled" = $2 WHERE "issuer" = $1`,
      () => sender.agent.issuer,
    ],
    ['Brand', `UPDATE "Brand" SET "enabled" = $2 WHERE "id" = $1`, () => BRAND_ID],
  ])('so does a disabled %s', async (_, statement, key) => {
    const allowed = await sender.allow('orders:read')
    const answer = await sendSlowly(allowed, async () => {
      await pool().query(statement, [key(), false])
      await sleep(MEMORY)
    })
    await pool().query(statement, [key(), true])
    await sleep(MEMORY)
    expect(answer).toEqual(badToken)
    expect(sender.api.calls).toEqual([])
    expect((await sender.send('hello', allowed)).status).toBe(200)
  })
})

/** Two messages of one conversation: the second waits while the Brand's API takes its time with the first. */
async function sendBehindASlowOne(allowed: Allowed, text: string, meanwhile: () => Promise<unknown>) {
  const begun = await sender.send('hello', allowed)
  const { contextId } = begun.body.message
  sender.api.answerWith(async () => {
    await sleep(LOOK)
    await meanwhile()
    return { json: { orders: [] } }
  })
  const first = sender.send('my orders', { ...allowed, message: { contextId } })
  await expect.poll(() => sender.api.calls.length).toBe(1)
  const message = { contextId, messageId: randomUUID() }
  const second = await sender.send(text, { ...allowed, message })
  await first
  return { second, message }
}

describe('§5.5 what is taken back while the message waits its turn', () => {
  it('a revoked grant makes the token bad; the same message may be sent again', async () => {
    const allowed = await sender.allow('orders:read')
    const { second, message } = await sendBehindASlowOne(allowed, 'my orders', () => revoke(allowed))
    expect(shown(second.status, second.headers, second.content)).toEqual(badToken)
    expect(sender.api.calls).toHaveLength(1)
    const grantId = await sender.grantTo(allowed.subject, ['orders:read'])
    const token = await sender.tokenFor(grantId, ['orders:read'])
    const again = await sender.send('my orders', { subject: allowed.subject, token, message })
    expect(again.status).toBe(200)
    expect(sender.api.calls).toHaveLength(2)
  })

  it('a withdrawn scope is missing', async () => {
    const allowed = await sender.allow('orders:read', 'orders:cancel')
    const { second } = await sendBehindASlowOne(allowed, 'cancel A-1', () =>
      withdraw(allowed, 'orders:cancel'),
    )
    expect(second.body.task.metadata['pact.missingScopes']).toEqual(['orders:cancel'])
    expect(sender.api.calls).toHaveLength(1)
  })
})

describe('§5.5 what is taken back between two calls', () => {
  it.each([
    ['the grant', revoke],
    ['the scope of the next', (allowed: Allowed) => withdraw(allowed, 'orders:cancel')],
  ])('%s ends the calls; the receipt says what was done', async (_, takeBack) => {
    const allowed = await sender.allow('orders:read', 'orders:cancel')
    sender.api.answerWith(async () => {
      await sleep(LOOK)
      await takeBack(allowed)
      return { json: { orders: [] } }
    })
    const { body } = await sender.send('cancel A-1', allowed)
    expect(sender.api.calls.map(({ path }) => path)).toEqual(['/orders'])
    expect(body.message.parts).toEqual([{ text: 'I had to stop.' }])
    const { claims } = body.message.metadata['pact.receipt']
    expect(claims).toMatchObject({ actions: [{ tool: 'list_orders' }], scopesUsed: ['orders:read'] })
  })
})
