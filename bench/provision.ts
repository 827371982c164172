import { type Provision, provisionSchema } from '#lib/provisioning/schema.ts'
import { buildDelegatingParts } from './delegating-brand.ts'

export const AUDIENCE = 'urn:example:bench-provider'
export const BRAND_ID = '01KAA0B5V7BENCH0000000000A'
export const DELEGATING_BRAND_ID = '01KAA0B5V7BENCH0000000000B'

const unlimited = { requests: 1_000_000, perSeconds: 1 }

/** Ten rules, as an ordinary Brand has them. */
const agent = {
  driver: 'scripted',
  rules: [
    {
      when: { match: 'speak to (?<who>a human|somebody)' },
      reply: 'A colleague calls you back within the hour.',
    },
    {
      when: { match: '\\b(?<number>A-\\d{3,8})\\b' },
      set: { state: null, number: '{{ match.number | upcase }}' },
      reply:
        'Order {{ match.number | upcase }} leaves tomorrow and is with you two days later. Anything else about it?',
    },
    {
      when: { state: 'asked_number', match: '\\d' },
      reply: 'Our order numbers start with A-, such as A-88213. Could you look again?',
    },
    {
      when: { words: ['refund', 'return', 'returns', 'send back', 'back'] },
      set: { state: null },
      reply:
        '{% if number %}You can send order {{ number }} back{% else %}You can send anything back{% endif %} for 30 days.',
    },
    {
      when: { words: ['size', 'sizes', 'small', 'large'] },
      reply: 'Between two sizes, take the smaller one.',
    },
    {
      when: { words: ['order', 'delivery', 'parcel', 'package', 'where is'] },
      set: { state: 'asked_number' },
      reply: 'Sure, what is the order number?',
    },
    { when: { words: ['open', 'hours'] }, reply: 'We are open from Monday to Friday, 8:00 to 18:00.' },
    { when: { words: ['thanks', 'thank you'] }, reply: "You're welcome. Anything else?" },
    { when: { words: ['bye', 'goodbye'] }, reply: 'Goodbye.', close: true },
    {
      when: { words: ['hello', 'hi', 'hey'] },
      reply: 'Hello. I can help with orders, deliveries and refunds.',
    },
  ],
  fallback: 'I can help with orders, deliveries and refunds. What is it about?',
}

const brand = {
  id: BRAND_ID,
  name: 'Loom & Thread',
  description: 'Orders and deliveries.',
  skills: [{ id: 'orders', name: 'Orders', description: 'Order status and changes.', tags: ['orders'] }],
  agent,
}

/** The same Brand, which offers §5 as well: its first rule looks into the User's account. */
function buildDelegatingBrand(api: string) {
  const { delegation, tool, rule } = buildDelegatingParts(api)
  const delegatingAgent = { ...agent, tools: [tool], rules: [rule, ...agent.rules] }
  return { ...brand, id: DELEGATING_BRAND_ID, delegation, agent: delegatingAgent }
}

/**
 * A Provider with two Brands and one personal agent, whose limits are too high to be met.
 *
 * @param api the origin of the API that the second Brand's agent calls
 */
export function buildBenchProvision(
  personalAgent: { issuer: string; jwksUri: string },
  api: string,
): Provision {
  const { issuer, jwksUri } = personalAgent
  return provisionSchema({ allowLoopback: true }).parse({
    provider: {
      organization: 'Bench Provider',
      audience: AUDIENCE,
      limits: { perPersonalAgent: unlimited, perUser: unlimited },
    },
    personalAgents: [{ name: 'Bench personal agent', issuer, jwksUri }],
    brands: [brand, buildDelegatingBrand(api)],
  })
}
