import type { TestPersonalAgent } from './personal-agents.ts'

export const AUDIENCE = 'urn:example:test-provider'
export const BRAND_ID = '01KAA0B5V7S8Q0ZJ1M9T3X4WCR'
export const OTHER_BRAND_ID = '01KAA0B5V7N2E6Y4D8GH5RPKQF'
/** What a User says to end a conversation with the test Brand. */
export const CLOSING_TEXT = 'goodbye'

const generous = { requests: 100_000, perSeconds: 1 }

/** What the test Brand's agent knows. `slow` takes a second, `stuck` longer than its time limit. */
const agent = {
  driver: 'scripted',
  timeLimitSeconds: 3,
  rules: [
    { when: { words: ['slow'] }, delaySeconds: 1, reply: 'That took a while.' },
    { when: { words: ['stuck'] }, delaySeconds: 60, reply: 'Nobody hears this.' },
    { when: { words: [CLOSING_TEXT] }, reply: 'Goodbye.', close: true },
    {
      when: { state: 'asked_number', match: '(?<number>A-\\d+)' },
      set: { state: null, number: '{{ match.number }}' },
      reply: 'Order {{ match.number }} leaves tomorrow.',
    },
    { when: { words: ['again'] }, reply: 'You asked about {{ number }}.' },
    { when: { words: ['order'] }, set: { state: 'asked_number' }, reply: 'Sure, what is the order number?' },
  ],
  fallback: 'You said: {{ text }}',
}

const brand = (id: string, name: string) => ({
  id,
  name,
  description: 'Orders and deliveries.',
  skills: [{ id: 'orders', name: 'Orders', description: 'Order status and changes.', tags: ['orders'] }],
  agent,
})

/** A provision file's content: two Brands, and personal agents of which the last is disabled. */
export function buildTestProvision(
  personalAgents: readonly TestPersonalAgent[],
  limits: unknown = { perPersonalAgent: generous, perUser: generous },
  trust: 'allowlist' | 'open' = 'allowlist',
) {
  return {
    provider: { organization: 'Test Provider', audience: AUDIENCE, trust, limits },
    personalAgents: personalAgents.map(({ name, issuer, jwksUri }) => ({
      name,
      issuer,
      jwksUri,
      enabled: name !== 'disabled',
    })),
    brands: [brand(BRAND_ID, 'Loom & Thread'), brand(OTHER_BRAND_ID, 'Northlight Energy')],
  }
}
