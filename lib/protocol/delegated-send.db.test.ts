import { randomUUID } from 'node:crypto'
import { compactVerify, createLocalJWKSet, decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import type { Answered } from '#e2e/harness/delegated-sender.ts'
import { delegatedSenderOfThisFile } from '#e2e/harness/delegated-sender-hooks.ts'
import { BRAND_ID, OTHER_BRAND_ID } from '#e2e/harness/provision.ts'
import { authorizationServer, interfaceUrl } from '#lib/brands/addresses.ts'
import { publishedJwks } from '#lib/keys/published-keys.ts'
import { prisma } from '#lib/platform/database.ts'
import { forgetConfirmation } from '#lib/platform/revision-cache.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { handle } from './handle.ts'

const sender = delegatedSenderOfThisFile()
const { send, allow } = sender

function expectBadToken({ status, headers, content }: Answered): void {
  expect({ status, challenge: headers.get('WWW-Authenticate'), content }).toEqual({
    status: 401,
    challenge: 'Bearer realm="a2a", error="invalid_token"',
    content: '',
  })
}

function expectInvalidParams({ status, body }: Answered): void {
  expect({ status, reason: body.error?.details[0].reason }).toEqual({ status: 400, reason: 'INVALID_PARAMS' })
}

describe('§5.5 sending with a delegation token', () => {
  it('runs the agent as the Brand user, limited to the token’s scopes, and the Brand’s API gets the token', async () => {
    const { subject, token } = await allow('orders:read', 'orders:cancel')
    const { status, body } = await send('Please cancel A-1', { subject, token })
    expect({ status, text: body.message.parts[0].text }).toEqual({
      status: 200,
      text: 'Order A-1 is cancelled. 12 EUR.',
    })
    expect(sender.api.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /orders',
      'POST /orders/A-1/cancel',
    ])
    expect(sender.api.calls.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true)
  })

  it('wants the token that belongs to this (personal agent, sub) and this Brand', async () => {
    const { subject, token } = await allow('orders:read')
    expectBadToken(await send('my orders', { subject: 'somebody else', token }))
    expectBadToken(await send('my orders', { subject, token, by: sender.otherAgent }))
    expectBadToken(await send('my orders', { subject, token, brandId: OTHER_BRAND_ID }))
    expect((await send('my orders', { subject, token })).status).toBe(200)
  })

  it('§3.4 comes first: with a bad personal-agent JWT it is the other 401', async () => {
    const { token } = await allow('orders:read')
    const response = await handle(
      new Request(`${interfaceUrl(BRAND_ID)}/message:send`, {
        method: 'POST',
        headers: { Authorization: 'Bearer a.b.c', 'X-A2A-User-Delegation': `Bearer ${token}` },
      }),
    )
    expect([response.status, response.headers.get('WWW-Authenticate')]).toEqual([401, 'Bearer realm="a2a"'])
  })

  it('the token comes before the body, and an unknown Brand before the token', async () => {
    const { subject, token } = await allow('orders:read')
    expectBadToken(await send('', { subject, token: `${token}x`, rawBody: '{' }))
    expectInvalidParams(await send('', { subject, token, rawBody: '{' }))
    expect((await send('', { subject, token: 'a.b.c', brandId: '01KAA0B5V7S8Q0ZJ1M9T3X4WCS' })).status).toBe(
      404,
    )
  })

  it.each([
    '',
    ' ',
    'Bearer',
    'Bearer ',
    'Basic a.b.c',
    'DPoP a.b.c',
    'Bearer a.b',
    'Bearer a.b.c.d',
    'Bearer é',
  ])('a header that says %j is a bad token', async (header) => {
    const { subject } = await allow('orders:read')
    const asked = { subject, token: header === '' ? '' : header }
    const { status, headers } = await send(
      'hello',
      asked.token === 'Bearer' ? { subject, token: 'Bearer ' } : asked,
    )
    expect([status, headers.get('WWW-Authenticate')]).toEqual([
      401,
      'Bearer realm="a2a", error="invalid_token"',
    ])
  })

  it('a header that comes twice is a bad token', async () => {
    const { subject, token } = await allow('orders:read')
    expectBadToken(await send('hello', { subject, token: `Bearer ${token}, Bearer ${token}` }))
  })

  it('the scheme is told without case', async () => {
    const { subject, token } = await allow('orders:read')
    expect((await send('hello', { subject, token: `bEARER ${token}` })).status).toBe(200)
  })

  it('a grant that is revoked, over, or ended by a reused refresh token makes the token bad', async () => {
    for (const change of [
      { revokedAt: new Date() },
      { expiresAt: new Date(Date.now() - 1_000) },
      { notBefore: new Date(Date.now() + 5_000) },
    ]) {
      const { subject, token, grantId } = await allow('orders:read')
      expect((await send('hello', { subject, token })).status).toBe(200)
      await prisma().grant.update({ where: { id: grantId, brandId: BRAND_ID }, data: change })
      expectBadToken(await send('hello', { subject, token }))
    }
  })

  it('a scope that the grant has lost, or never had, counts no more', async () => {
    const { subject, token, grantId } = await allow('orders:read', 'orders:cancel')
    await prisma().grant.update({
      where: { id: grantId, brandId: BRAND_ID },
      data: { scopes: ['orders:cancel', 'profile:read'] },
    })
    const { body } = await send('my orders', { subject, token })
    expect(body.task.metadata['pact.missingScopes']).toEqual(['orders:read'])
  })

  it('a Brand that offers delegation no more takes no token', async () => {
    const { subject, token } = await allow('orders:read')
    const where = { id: BRAND_ID }
    const { delegation } = await prisma().brand.findUniqueOrThrow({ where })
    await prisma().brand.update({ where, data: { delegation: Prisma.DbNull } })
    forgetConfirmation()
    const without = await send('hello', { subject, token })
    await prisma().brand.update({ where, data: { delegation: delegation ?? Prisma.DbNull } })
    forgetConfirmation()
    expectBadToken(without)
    expect((await send('hello', { subject, token })).status).toBe(200)
  })

  it('a scope that the Brand has removed counts no more', async () => {
    const { subject, token } = await allow('orders:read', 'orders:cancel')
    const where = { brandId_id: { brandId: BRAND_ID, id: 'orders:cancel' } }
    const removed = await prisma().scope.delete({ where })
    forgetConfirmation()
    const { status, body } = await send('cancel A-1', { subject, token })
    await prisma().scope.create({ data: removed })
    forgetConfirmation()
    // The Brand's agent still asks for it, and nobody can allow it: no link says otherwise, and nothing was done.
    expect([status, body.error.details[0].reason]).toEqual([500, 'INTERNAL'])
    expect(sender.api.calls).toEqual([])
    expect(await prisma().deviceAuthorization.count({ where: { brandId: BRAND_ID, subject } })).toBe(0)
  })
})

async function tokenOf(subject: string, brandUserId: string): Promise<string> {
  const grantId = await sender.grantTo(subject, ['orders:read'], brandUserId)
  return sender.tokenFor(grantId, ['orders:read'], brandUserId)
}

describe('§5.5 contexts', () => {
  it('one that has run as one Brand user refuses another’s token, and goes on for the first', async () => {
    const subject = randomUUID()
    const jane = await tokenOf(subject, 'jane')
    const tom = await tokenOf(subject, 'tom')
    const begun = await send('hello', { subject })
    const message = { contextId: begun.body.message.contextId }
    expect((await send('my orders', { subject, token: jane, message })).status).toBe(200)
    expectInvalidParams(await send('my orders', { subject, token: tom, message }))
    expect((await send('my orders', { subject, token: jane, message })).body.message).toBeDefined()
    const under3 = await send('my orders', { subject, message })
    expect(under3.body.task.metadata['pact.missingScopes']).toEqual(['orders:read'])
    expect((await send('hello', { subject, message })).body.message.metadata).toBeUndefined()
  })
})

describe('§5.6 receipts', () => {
  it('say as whom, for whom and what, and verify with the published keys', async () => {
    const { subject, token, grantId } = await allow('orders:read', 'orders:cancel')
    const { body } = await send('cancel A-1', { subject, token })
    const { jws, claims } = body.message.metadata['pact.receipt']
    expect(claims).toEqual({
      grantId,
      user: 'jane-4471',
      pa: sender.agent.issuer,
      brand: interfaceUrl(BRAND_ID),
      scopesUsed: ['orders:read', 'orders:cancel'],
      actions: [
        { tool: 'list_orders' },
        { tool: 'cancel_order', argsHash: expect.stringMatching(/^[\w-]{43}$/) },
      ],
      ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    })
    const keys = createLocalJWKSet(await publishedJwks(BRAND_ID))
    const verified = await compactVerify(jws, keys)
    expect(JSON.parse(new TextDecoder().decode(verified.payload))).toEqual(claims)
    expect(decodeProtectedHeader(jws)).toMatchObject({ typ: 'pact-receipt+jws', alg: 'ES256' })
    const stored = await prisma().receipt.findFirstOrThrow({ where: { brandId: BRAND_ID, grantId } })
    expect(stored).toMatchObject({ jws, claims })
    expect(authorizationServer(BRAND_ID).jwksUri).toBe(`${claims.brand}/oauth/jwks.json`)
  })

  it('that could not be signed let nothing be done', async () => {
    const { subject, token } = await allow('orders:read', 'orders:cancel')
    const where = { brandId: BRAND_ID, state: 'active' } as const
    const active = await prisma().signingKey.findFirstOrThrow({ where })
    await prisma().signingKey.updateMany({ where, data: { sealedPrivate: null } })
    forgetConfirmation()
    const unsigned = await send('cancel A-1', { subject, token })
    await prisma().signingKey.updateMany({ where, data: { sealedPrivate: active.sealedPrivate } })
    forgetConfirmation()
    expect({ status: unsigned.status, calls: sender.api.calls.length }).toEqual({ status: 500, calls: 0 })
    expect((await send('cancel A-1', { subject, token })).status).toBe(200)
  })

  it('are on every reply under a token, the same on a replay, on none under §3', async () => {
    const { subject, token } = await allow('orders:read')
    const messageId = randomUUID()
    const first = await send('hello', { subject, token, message: { messageId } })
    expect(first.body.message.metadata['pact.receipt'].claims).toMatchObject({ actions: [], scopesUsed: [] })
    const message = { messageId, contextId: first.body.message.contextId }
    expect((await send('hello', { subject, token, message })).content).toBe(first.content)
    expect(JSON.stringify((await send('hello', { subject })).body)).not.toContain('pact.receipt')
  })
})
