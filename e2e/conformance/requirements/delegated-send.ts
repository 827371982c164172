import { randomUUID } from 'node:crypto'
import { CompactSign, generateKeyPair } from 'jose'
import { expect } from 'vitest'
import { mustDelegated, mustNotDelegated } from '../delegated-requirement.ts'
import type { Delegation, Granted } from '../delegation.ts'
import {
  expectA2aError,
  expectA2aOk,
  expectInvalidDelegation,
  expectReply,
  expectUnauthorized,
} from '../expectations.ts'
import { contextIdOf } from '../provider.ts'
import { listed } from '../requirement.ts'
import { base64url } from '../tokens.ts'
import { at } from '../wire.ts'

function obtain(delegation: Delegation): Promise<Granted> {
  return delegation.obtain({ asked: delegation.offered.scopes })
}

/** The token's parts, with claims changed; the signature stays. */
function changeClaims(token: string, changes: Record<string, unknown>): string {
  const [header, payload = '', signature] = token.split('.')
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return `${header}.${base64url({ ...claims, ...changes })}.${signature}`
}

/** The same header and claims, signed by somebody else. */
async function signAsStranger(token: string): Promise<string> {
  const [header = '', payload = ''] = token.split('.')
  const { kid, typ } = JSON.parse(Buffer.from(header, 'base64url').toString())
  const { privateKey } = await generateKeyPair('ES256')
  return new CompactSign(Buffer.from(payload, 'base64url'))
    .setProtectedHeader({ alg: 'ES256', kid, typ })
    .sign(privateKey)
}

function unsecure(token: string): string {
  const [header = '', payload] = token.split('.')
  const fields = JSON.parse(Buffer.from(header, 'base64url').toString())
  return `${base64url({ ...fields, alg: 'none' })}.${payload}.`
}

/** What §5.5 (2) refuses, made from a token that is good. */
const badTokens: [string, (token: string) => string | Promise<string>][] = [
  ['with other claims under the same signature', (token) => changeClaims(token, { sub: 'somebody-else' })],
  ['with more scope under the same signature', (token) => changeClaims(token, { scope: 'everything' })],
  ['signed by somebody else', signAsStranger],
  ['with alg none', unsecure],
  ['without its signature', (token) => token.slice(0, token.lastIndexOf('.') + 1)],
]

mustDelegated('5.5', 'with both tokens, a message is answered', async (delegation) => {
  expectReply(await delegation.message(await obtain(delegation)))
})

for (const [what, spoil] of badTokens) {
  mustDelegated('5.5', `a delegation token ${what} gets 401 invalid_token`, async (delegation) => {
    const { client, accessToken } = await obtain(delegation)
    expectInvalidDelegation(await delegation.message({ client, accessToken: await spoil(accessToken) }))
  })
}

mustDelegated('5.5', 'what is no delegation token gets 401 invalid_token', async (delegation) => {
  const client = delegation.client()
  expectInvalidDelegation(await delegation.message({ client, accessToken: 'not-a-token' }))
})

mustDelegated('5.5', 'a personal-agent JWT in its place gets 401 invalid_token', async (delegation) => {
  const client = delegation.client()
  const accessToken = await client.signer.sign({ claims: { sub: client.subject } })
  expectInvalidDelegation(await delegation.message({ client, accessToken }))
})

mustDelegated(
  '5.5',
  'the personal-agent JWT is checked first: both bad, the §3.4 401',
  async (delegation) => {
    const answer = await delegation.provider.message({ token: 'bad', delegationToken: 'bad' })
    expectUnauthorized(answer)
  },
)

mustDelegated(
  '5.5',
  'client_id must equal iss: another personal agent’s token gets 401',
  async (delegation) => {
    const stranger = delegation.otherClient()
    const { accessToken, client } = await obtain(delegation)
    expectInvalidDelegation(await delegation.message({ client: stranger, accessToken }))
    const impostor = { ...stranger, subject: client.subject }
    expectInvalidDelegation(await delegation.message({ client: impostor, accessToken }))
  },
)

mustDelegated('5.5', 'aud must match: at another Brand the token gets 401', async (delegation) => {
  const to = delegation.provider.otherInterfaceUrl
  expectInvalidDelegation(await delegation.message(await obtain(delegation), { to }))
})

mustDelegated('5.5', 'the grant must not be revoked: afterwards the token gets 401', async (delegation) => {
  const granted = await obtain(delegation)
  const { client, accessToken, refreshToken } = granted
  const revocationUrl = delegation.endpoint('revocation_endpoint')
  const token = refreshToken ?? accessToken
  expect((await delegation.post(revocationUrl, client, { token })).status, 'RFC 7009 §2.2').toBe(200)
  expectInvalidDelegation(await delegation.message(granted))
})

mustDelegated('5.5', 'contextId rules stay: an unknown one gets INVALID_PARAMS', async (delegation) => {
  const answer = await delegation.message(await obtain(delegation), { contextId: randomUUID() })
  expectA2aError(answer, 'INVALID_PARAMS')
})

mustDelegated('5.5', 'a context started under §3 continues under delegation', async (delegation) => {
  const granted = await obtain(delegation)
  const token = await granted.client.signer.sign({ claims: { sub: granted.client.subject } })
  const contextId = contextIdOf(await delegation.provider.message({ token }))
  expect(expectReply(await delegation.message(granted, { contextId })).contextId).toBe(contextId)
})

mustDelegated(
  '5.5',
  'a context that ran as one sub: a token for another gets INVALID_PARAMS',
  async (delegation) => {
    const asked = delegation.offered.scopes
    const client = delegation.client()
    const one = await delegation.obtain({ asked, client })
    const contextId = contextIdOf(await delegation.message(one))
    const other = await delegation.obtain({ asked, client, user: 'second' })
    expectA2aError(await delegation.message(other, { contextId }), 'INVALID_PARAMS')
    expectReply(await delegation.message(one, { contextId }))
  },
)

/** §5.5: the task of a turn that needs more. */
function expectStepUp(answer: Awaited<ReturnType<Delegation['message']>>): string[] {
  expectA2aOk(answer)
  const task = at(answer.json, 'task')
  expect(task, answer.text.slice(0, 300)).toMatchObject({
    id: expect.stringMatching(/./),
    contextId: expect.stringMatching(/./),
    status: { state: 'TASK_STATE_AUTH_REQUIRED' },
  })
  expect(at(task, 'metadata', 'pact.verificationUriComplete'), 'the link').toMatch(/^https?:\/\//)
  const missing = at(task, 'metadata', 'pact.missingScopes')
  expect(missing, 'pact.missingScopes').toEqual(expect.arrayContaining([expect.any(String)]))
  return Array.isArray(missing) ? missing.map(String) : []
}

mustNotDelegated('5.5', 'a turn that needs a scope fails: it returns a step-up task', async (delegation) => {
  const text = delegation.delegatedText()
  const { token, contextId } = await delegation.provider.converse()
  const missing = expectStepUp(await delegation.provider.message({ token, contextId, text }))
  for (const scope of missing) expect(delegation.offered.scopes, 'an id on the card').toContain(scope)
})

mustDelegated('5.5', 'after step-up the conversation stays open', async (delegation) => {
  const text = delegation.delegatedText()
  const { token, contextId } = await delegation.provider.converse()
  const answer = await delegation.provider.message({ token, contextId, text })
  expect(contextIdOf(answer), 'the same contextId').toBe(contextId)
  expectReply(await delegation.provider.message({ token, contextId }))
})

mustDelegated(
  '5.5',
  'a token that lacks the scope gets step-up, and the scope in the end',
  async (delegation, notTested) => {
    const text = delegation.delegatedText()
    const client = delegation.client()
    const token = await client.signer.sign({ claims: { sub: client.subject } })
    const needed = expectStepUp(await delegation.provider.message({ token, text }))
    const others = delegation.offered.scopes.filter((scope) => !needed.includes(scope))
    if (others.length === 0) return notTested('the card has no scope beside the missing ones')
    const lacking = await delegation.obtain({ asked: others, client })
    const stepUp = await delegation.message(lacking, { text })
    const missing = expectStepUp(stepUp)
    const enough = await delegation.obtain({ asked: missing, approved: delegation.offered.scopes, client })
    const contextId = contextIdOf(stepUp)
    expect(expectReply(await delegation.message(enough, { text, contextId })).contextId).toBe(contextId)
  },
)

mustDelegated('5.5', 'tasks/{id} of a step-up task: the task, or TASK_NOT_FOUND', async (delegation) => {
  const { provider } = delegation
  const token = await provider.token()
  const answer = await provider.message({ token, text: delegation.delegatedText() })
  const lookup = await provider.operation('GET', `tasks/${at(answer.json, 'task', 'id')}`, token)
  if (lookup.status === 200) expectA2aOk(lookup)
  else expectA2aError(lookup, 'TASK_NOT_FOUND')
})

listed(
  '5.5',
  'MUST',
  'exp: an expired delegation token gets 401 invalid_token',
  'the suite does not wait that long',
)
