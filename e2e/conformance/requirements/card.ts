import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { expectNoA2aBody, expectReply } from '../expectations.ts'
import { cardUrl, findInterface, type Provider } from '../provider.ts'
import { listed, must, mustNot } from '../requirement.ts'
import { at, isRecord, mediaType, send } from '../wire.ts'

/** The names that each entry of `securityRequirements` demands together. */
function demands(card: unknown): string[][] {
  const requirements = at(card, 'securityRequirements')
  if (!Array.isArray(requirements)) return []
  return requirements.map((entry) => Object.keys(Object(at(entry, 'schemes'))))
}

/** The schemes on the card that are the personal-agent JWT, by name. */
function paJwtSchemes(card: unknown): string[] {
  return Object.entries(Object(at(card, 'securitySchemes')))
    .filter(([, scheme]) => {
      const http = at(scheme, 'httpAuthSecurityScheme')
      return at(http, 'scheme') === 'Bearer' && at(http, 'bearerFormat') === 'JWT'
    })
    .map(([name]) => name)
}

function ownCard({ target }: Provider) {
  return send({ url: cardUrl(target.providerUrl, target.brandId) })
}

must('2.1', 'the card is at {PROVIDER_URL}/a2a/{brandId}/.well-known/agent-card.json', async (provider) => {
  const answer = await ownCard(provider)
  expect(answer.status).toBe(200)
  expect(isRecord(answer.json), 'a JSON object').toBe(true)
})

must('2.1', 'one card per Brand: another Brand has another interface', (provider) => {
  expect(provider.otherInterfaceUrl).not.toBe(provider.interfaceUrl)
})

must('2.1', 'the card is JSON, in a JSON media type', async (provider) => {
  expect(['application/json', 'application/a2a+json']).toContain(mediaType(await ownCard(provider)))
})

must('2.1', 'the card needs no authentication', async (provider) => {
  const answer = await ownCard(provider)
  expect(answer.status).toBe(200)
})

must('2.1', 'the card is served whatever the Authorization header holds', async ({ target }) => {
  const answer = await send({ url: cardUrl(target.providerUrl, target.brandId), token: 'not-a-token' })
  expect(answer.status).toBe(200)
})

must('2.1', 'the card of an unknown brandId gets 404 with no A2A body', async ({ target }) => {
  const answer = await send({ url: cardUrl(target.providerUrl, `no-such-brand-${randomUUID()}`) })
  expect(answer.status).toBe(404)
  expectNoA2aBody(answer)
})

must('2.1', 'supportedInterfaces has an entry HTTP+JSON with protocolVersion "1.0"', ({ card }) => {
  expect(at(card, 'supportedInterfaces')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }),
    ]),
  )
})

must('2.1', 'the url of that entry is an absolute URL', ({ card }) => {
  const url = findInterface(card)?.url
  expect(typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url), String(url)).toBe(true)
})

must('2.1', 'the url of that entry is the interface URL: message:send works below it', async (provider) => {
  expectReply(await provider.message())
})

must('2.1', 'the JWT is an httpAuthSecurityScheme, scheme "Bearer", bearerFormat "JWT"', ({ card }) => {
  expect(paJwtSchemes(card), 'schemes for the personal-agent JWT').not.toEqual([])
})

must('2.1', 'the JWT is listed alone in one securityRequirements entry', ({ card }) => {
  const names = paJwtSchemes(card)
  const alone = demands(card).filter((demand) => demand.length === 1 && names.includes(demand[0] ?? ''))
  expect(alone, `entries that demand only the JWT, of ${JSON.stringify(demands(card))}`).not.toEqual([])
})

must('2.1', 'every scheme that securityRequirements names is declared', ({ card }) => {
  const declared = Object.keys(Object(at(card, 'securitySchemes')))
  for (const name of demands(card).flat()) expect(declared).toContain(name)
})

mustNot('3.1', 'the audience is derived from a card URL', ({ target, interfaceUrl, otherInterfaceUrl }) => {
  const { audience, brandId, otherBrandId, providerUrl } = target
  expect(audience).not.toContain(interfaceUrl)
  expect(audience).not.toContain(otherInterfaceUrl)
  for (const id of [brandId, otherBrandId]) expect(audience).not.toContain(`${providerUrl}/a2a/${id}`)
})

must('3.1', 'the audience is one value per Provider: it works for another Brand', async (provider) => {
  expectReply(await provider.message({ to: provider.otherInterfaceUrl }))
})

listed(
  '2.1',
  'MUST',
  'personal agents pick the interface by binding and version; they never build the card URL from a Brand ID',
  'binds personal agents',
)
