import { expect } from 'vitest'
import { mustDelegated } from '../delegated-requirement.ts'
import { expectReply } from '../expectations.ts'
import { listed } from '../requirement.ts'
import { at, isRecord, mediaType, send } from '../wire.ts'

/** The names that each entry of `securityRequirements` demands together, in order. */
function demands(card: unknown): string[][] {
  const requirements = at(card, 'securityRequirements')
  if (!Array.isArray(requirements)) return []
  return requirements.map((entry) => Object.keys(Object(at(entry, 'schemes'))).sort())
}

function paJwtName(card: unknown): string {
  const schemes = Object.entries(Object(at(card, 'securitySchemes')))
  const found = schemes.find(([, scheme]) => at(scheme, 'httpAuthSecurityScheme', 'bearerFormat') === 'JWT')
  return found?.[0] ?? ''
}

mustDelegated('5.1', 'a second securityRequirements entry names both schemes', ({ provider, offered }) => {
  expect(demands(provider.card)).toContainEqual([paJwtName(provider.card), offered.scheme].sort())
})

mustDelegated('5.1', 'the entry that needs only the personal-agent JWT stays', ({ provider }) => {
  expect(demands(provider.card)).toContainEqual([paJwtName(provider.card)])
})

mustDelegated('5.1', 'a personal agent may always talk with §3 alone', async ({ provider }) => {
  expectReply(await provider.message())
})

mustDelegated('5.1', 'the deviceCode flow names its two endpoints', ({ offered }) => {
  for (const url of [offered.deviceAuthorizationUrl, offered.tokenUrl])
    expect(url, 'a URL').toMatch(/^https?:\/\//)
})

mustDelegated('5.2', 'the card lists each scope with a description', ({ provider, offered }) => {
  const path = ['securitySchemes', offered.scheme, 'oauth2SecurityScheme', 'flows', 'deviceCode', 'scopes']
  const scopes = at(provider.card, ...path)
  expect(isRecord(scopes) && Object.keys(scopes).length > 0, 'scopes').toBe(true)
  for (const [id, description] of Object.entries(Object(scopes))) {
    expect(id, 'an id (RFC 6749 §3.3)').toMatch(/^[\x21\x23-\x5B\x5D-\x7E]+$/)
    expect(description, `the description of ${id}`).toEqual(expect.stringMatching(/\S/))
  }
})

mustDelegated('5.1', 'oauth2MetadataUrl serves RFC 8414 metadata', ({ metadata, offered }) => {
  expect(metadata.status).toBe(200)
  expect(mediaType(metadata)).toBe('application/json')
  expect(metadata.json).toMatchObject({
    issuer: expect.stringMatching(/^https?:\/\/[^?#]+$/),
    token_endpoint: offered.tokenUrl,
    device_authorization_endpoint: offered.deviceAuthorizationUrl,
    jwks_uri: expect.stringMatching(/^https?:\/\//),
    response_types_supported: expect.any(Array),
  })
})

mustDelegated('5.1', 'the metadata names the device code grant (RFC 8414, RFC 8628 §4)', ({ metadata }) => {
  expect(at(metadata.json, 'grant_types_supported')).toContain('urn:ietf:params:oauth:grant-type:device_code')
})

mustDelegated('5.1', 'the metadata is where its issuer says (RFC 8414 §3)', ({ metadata, offered }) => {
  const issuer = String(at(metadata.json, 'issuer'))
  const { origin, pathname } = new URL(issuer)
  const part = '/.well-known/oauth-authorization-server'
  expect([`${issuer}${part}`, `${origin}${part}${pathname.replace(/\/$/, '')}`]).toContain(
    offered.metadataUrl,
  )
})

mustDelegated('5.1', 'jwks_uri publishes public keys, and no private ones', async (delegation) => {
  const answer = await send({ url: delegation.endpoint('jwks_uri') })
  expect(answer.status).toBe(200)
  const keys = at(answer.json, 'keys')
  expect(keys, 'keys').toEqual(expect.arrayContaining([expect.anything()]))
  for (const key of Array.isArray(keys) ? keys : []) {
    expect(['EC', 'RSA'], 'kty').toContain(at(key, 'kty'))
    for (const secret of ['d', 'p', 'q', 'k']) expect(at(key, secret), secret).toBeUndefined()
  }
})

listed('5.2', 'MUST', 'request only scope ids on the card', 'binds personal agents')
listed(
  '5.2',
  'MUST',
  'consent shows each scope’s description verbatim',
  'the suite does not read the consent page',
)
