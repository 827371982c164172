import { randomUUID } from 'node:crypto'
import { type BadToken, badAudiences, badIssuersAndSubjects, badSignatures, badTimes } from '../bad-tokens.ts'
import { expectReply, expectUnauthorized } from '../expectations.ts'
import type { Provider } from '../provider.ts'
import { listed, must } from '../requirement.ts'
import type { Claims } from '../tokens.ts'

for (const { why, make } of [
  ...badSignatures,
  ...badIssuersAndSubjects,
  ...badAudiences,
  ...badTimes,
] satisfies BadToken[]) {
  must('3.2', `refuse a token: ${why}`, async (provider) => {
    expectUnauthorized(await provider.message({ token: await make(provider) }))
  })
}

async function sendWith(provider: Provider, claims: Claims) {
  return provider.message({ token: await provider.signer.sign({ claims }) })
}

must('3.2', 'accept a token with exp 120 s after iat', async (provider) => {
  expectReply(await provider.message())
})

must('3.2', 'accept a token with exp 300 s after iat', async (provider) => {
  const now = provider.now()
  expectReply(await sendWith(provider, { iat: now, exp: now + 300 }))
})

must('3.2', 'accept a token near the end of its 300 s', async (provider) => {
  const now = provider.now()
  expectReply(await sendWith(provider, { iat: now - 240, exp: now + 60 }))
})

must('3.2', 'accept a token with iat less than 30 s in the future', async (provider) => {
  const now = provider.now()
  expectReply(await sendWith(provider, { iat: now + 20, exp: now + 140 }))
})

must('3.2', 'allow for clock skew: exp passed less than 30 s ago', async (provider, notTested) => {
  const now = provider.now()
  const answer = await sendWith(provider, { iat: now - 120, exp: now - 15 })
  if (answer.status === 401) notTested('the Provider allows less skew than "at most 30 s", as it may')
  expectReply(answer)
})

must(
  '3.2',
  'accept a token with a jti, and the same token again: jti need not be tracked',
  async (provider, notTested) => {
    const token = await provider.signer.sign({ claims: { jti: randomUUID() } })
    expectReply(await provider.message({ token }))
    const again = await provider.message({ token })
    if (again.status === 401) notTested('the Provider tracks jti, as it may')
    expectReply(again)
  },
)

must('3.2', 'accept a token with claims that PACT does not name', async (provider) => {
  expectReply(await sendWith(provider, { 'https://example.com/extra': { deep: [1, 2, 3] } }))
})

must(
  '3.2',
  'verify against the issuer’s own JWKS: another registered personal agent’s key is refused',
  async (provider, notTested) => {
    const { personalAgent, otherPersonalAgent } = provider.target
    if (!otherPersonalAgent) return notTested('needs PA2_ISSUER and PA2_PRIVATE_JWK')
    const impostor = { issuer: personalAgent.issuer, privateJwk: otherPersonalAgent.privateJwk }
    expectUnauthorized(await provider.message({ token: await provider.signerFor(impostor).sign() }))
  },
)

must('3.1', 'a disabled personal agent gets 401', async (provider, notTested) => {
  const { disabledPersonalAgent } = provider.target
  if (!disabledPersonalAgent) return notTested('needs DISABLED_PA_ISSUER and DISABLED_PA_PRIVATE_JWK')
  const token = await provider.signerFor(disabledPersonalAgent).sign()
  expectUnauthorized(await provider.message({ token }))
})

listed('3.2', 'MUST NOT', 'sub contains personal data', 'binds personal agents')
listed('3.2', 'MUST', 'the same User keeps the same sub', 'binds personal agents')

must(
  '3.1',
  'follow a personal agent that rotates its keys by publishing new ones',
  async (provider, notTested) => {
    const { otherPersonalAgent, publishNewKey } = provider.target
    if (!otherPersonalAgent || !publishNewKey) return notTested('the suite does not publish the JWKS')
    // Four each: several instances may share the work, and each must have seen the old key before the new one.
    for (let sent = 0; sent < 4; sent += 1) {
      expectReply(await provider.message({ token: await provider.signerFor(otherPersonalAgent).sign() }))
    }
    const rotated = await publishNewKey()
    for (let sent = 0; sent < 4; sent += 1) {
      expectReply(await provider.message({ token: await provider.signerFor(rotated).sign() }))
    }
  },
)
