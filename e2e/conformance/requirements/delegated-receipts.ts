import { randomUUID } from 'node:crypto'
import { compactVerify, createRemoteJWKSet, decodeJwt } from 'jose'
import { expect } from 'vitest'
import { mustDelegated } from '../delegated-requirement.ts'
import type { Delegation, Granted } from '../delegation.ts'
import { expectOneEvent, expectReply } from '../expectations.ts'
import { contextIdOf } from '../provider.ts'
import { listed } from '../requirement.ts'
import { type Answer, at } from '../wire.ts'

function receiptOf(answer: Answer): unknown {
  const metadata = at(answer.json, 'message', 'metadata') ?? at(answer.json, 'task', 'metadata')
  return at(metadata, 'pact.receipt')
}

async function answered(delegation: Delegation, text?: string) {
  const granted = await delegation.obtain({ asked: delegation.offered.scopes })
  const answer = await delegation.message(granted, text === undefined ? {} : { text })
  expectReply(answer)
  return { granted, answer, receipt: receiptOf(answer) }
}

/** The payload of the receipt's JWS, verified with the keys of the token. */
async function verify(delegation: Delegation, receipt: unknown): Promise<unknown> {
  const keys = createRemoteJWKSet(new URL(delegation.endpoint('jwks_uri')))
  const jws = String(at(receipt, 'jws'))
  const { payload } = await compactVerify(jws, keys, { algorithms: ['ES256', 'RS256'] })
  return JSON.parse(new TextDecoder().decode(payload))
}

function expectClaims(delegation: Delegation, { accessToken, scopes }: Granted, claims: unknown): void {
  const { sub, grant_id } = decodeJwt(accessToken)
  expect(claims).toMatchObject({
    grantId: grant_id,
    user: sub,
    pa: delegation.provider.target.personalAgent.issuer,
    brand: delegation.provider.interfaceUrl,
    scopesUsed: expect.any(Array),
    actions: expect.any(Array),
    ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/),
  })
  const used = at(claims, 'scopesUsed')
  for (const scope of Array.isArray(used) ? used : []) expect(scopes, 'scopesUsed').toContain(scope)
  const age = Date.parse(String(at(claims, 'ts'))) / 1000 - delegation.provider.now()
  expect(Math.abs(age), 'ts is the time of the turn').toBeLessThan(120)
}

mustDelegated('5.6', 'a reply under a delegation token has a receipt in its metadata', async (delegation) => {
  const { receipt } = await answered(delegation)
  expect(receipt).toMatchObject({ jws: expect.any(String), claims: expect.any(Object) })
})

mustDelegated('5.6', 'the receipt is signed with the same keys as the token', async (delegation) => {
  const { receipt } = await answered(delegation)
  expect(await verify(delegation, receipt), 'jws is the JWS of claims').toEqual(at(receipt, 'claims'))
})

mustDelegated('5.6', 'the claims name grant, User, personal agent, Brand and time', async (delegation) => {
  const { receipt, granted } = await answered(delegation)
  expectClaims(delegation, granted, at(receipt, 'claims'))
})

mustDelegated('5.6', 'a turn that used scopes says which, and what was done', async (delegation) => {
  const { receipt, granted } = await answered(delegation, delegation.delegatedText())
  const claims = await verify(delegation, receipt)
  expectClaims(delegation, granted, claims)
  expect(at(claims, 'scopesUsed'), 'scopesUsed').toEqual(expect.arrayContaining([expect.any(String)]))
  expect(at(claims, 'actions', 0, 'tool'), 'actions').toBeTypeOf('string')
})

mustDelegated(
  '5.6',
  'a repeated messageId returns the stored reply with its receipt (§4.3)',
  async (delegation) => {
    const { granted, answer: first } = await answered(delegation)
    const turn = { contextId: contextIdOf(first), messageId: randomUUID() }
    const answer = await delegation.message(granted, turn)
    const again = await delegation.message(granted, turn)
    expect(again.text).toBe(answer.text)
    expect(receiptOf(again)).toBeDefined()
  },
)

mustDelegated(
  '5.6',
  'a step-up task under a delegation token has a receipt',
  async (delegation, notTested) => {
    const text = delegation.delegatedText()
    const client = delegation.client()
    const token = await client.signer.sign({ claims: { sub: client.subject } })
    const missing = at((await delegation.provider.message({ token, text })).json, 'task', 'metadata')
    const needed = at(missing, 'pact.missingScopes')
    const others = delegation.offered.scopes.filter((id) => !(Array.isArray(needed) && needed.includes(id)))
    if (others.length === 0) return notTested('the card has no scope beside the missing ones')
    const answer = await delegation.message(await delegation.obtain({ asked: others, client }), { text })
    const receipt = receiptOf(answer)
    expect(await verify(delegation, receipt)).toEqual(at(receipt, 'claims'))
    expect(at(receipt, 'claims', 'actions'), 'actions').toEqual([])
  },
)

mustDelegated('5.6', 'a reply that is streamed has its receipt, too', async (delegation, notTested) => {
  const { provider } = delegation
  if (provider.findStreaming(true) !== provider.interfaceUrl) return notTested('the card offers no streaming')
  const granted = await delegation.obtain({ asked: delegation.offered.scopes })
  const { data } = expectOneEvent(await delegation.stream(granted))
  const receipt = at(JSON.parse(data), 'message', 'metadata', 'pact.receipt')
  const claims = await verify(delegation, receipt)
  expect(claims, 'jws is the JWS of claims').toEqual(at(receipt, 'claims'))
  expectClaims(delegation, granted, claims)
})

listed('5.6', 'SHOULD', 'verify and keep receipts', 'binds personal agents')
