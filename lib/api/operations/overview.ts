import { z } from 'zod'
import { listAttention } from '#lib/access/attention.ts'
import { type Point, readTraffic, type Span, spans } from '#lib/access/overview.ts'
import { listLatestRefusals, listRefusals } from '#lib/access/refusals.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { finitePercentile } from '#lib/conversations/traffic-percentile.ts'
import { refusalReasons } from '#lib/identity/caller.ts'
import { brandRef, time } from '../answer-parts.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'

const ofBrand = { brand: brandIdSchema.optional() }

const attention = named(
  'Attention',
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('keys-unreachable'),
      personalAgentId: z.string(),
      name: z.string(),
      count: z.number(),
    }),
    z.object({
      kind: z.literal('token-reused'),
      grantId: z.string(),
      brandId: z.string(),
      brand: z.string(),
      at: time,
    }),
    z.object({
      kind: z.literal('login-keys-failing'),
      brandId: z.string(),
      brand: z.string(),
      fault: z.string(),
      at: time,
    }),
    z.object({ kind: z.literal('key-overdue'), brandId: z.string(), brand: z.string(), activatedAt: time }),
    z.object({ kind: z.literal('refusals-rising'), today: z.number(), before: z.number() }),
  ]),
)

const point = named(
  'TrafficPoint',
  z.object({
    at: time,
    messages: z.number(),
    stepUps: z.number(),
    errors: z.number(),
    consents: z.number(),
    denials: z.number(),
    tokens: z.number(),
    refusals: z.number(),
    /** Milliseconds; null: no turn, or longer than is counted. */
    p50: z.number().nullable(),
    p95: z.number().nullable(),
  }),
)

const toPoint = ({ p50, p95, ...counts }: Point) => ({
  ...counts,
  p50: finitePercentile(p50),
  p95: finitePercentile(p95),
})

const refusedFacts = {
  personalAgentId: z.string().nullable(),
  personalAgent: z.object({ name: z.string(), issuer: z.string() }).optional(),
  reason: z.string(),
  count: z.number(),
}
const refusal = named('Refusal', z.object({ ...refusedFacts, lastHour: time }))
const latestRefusal = named(
  'LatestRefusal',
  z.object({
    ...refusedFacts,
    /** As the token said, unproven. */
    issuer: z.string(),
    brand: brandRef.optional(),
    at: time,
  }),
)

const reasons = [...refusalReasons, 'delegation_token', 'rate_limited'] as const
const refusalQuery = z.object({
  hours: z.coerce.number<string>().int().min(1).max(720).default(24),
  reason: z.enum(reasons).optional(),
  agent: z.uuid().optional(),
})

const toWanted = ({ hours, reason, agent }: z.output<typeof refusalQuery>) => ({
  hours,
  ...(reason ? { reason } : {}),
  ...(agent ? { personalAgentId: agent } : {}),
})

/** As many as are answered. */
const first = { limit: 200 }

/** Nobody was recognised: no id, not an empty one. */
function withAgentId<Row extends { personalAgentId: string }>(rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, personalAgentId: row.personalAgentId || null }))
}

function refusalOperations(): Operation[] {
  const of = {
    method: 'GET',
    tag: 'Refused requests',
    permission: 'refusals.read',
    at: 'provider',
    query: refusalQuery,
  } as const
  return [
    operation({
      ...of,
      id: 'listRefusals',
      path: '/refusals',
      summary: 'Refused requests, by personal agent and reason',
      description: 'The latest first, at most 200. Neither tokens nor Users are known.',
      answer: named('RefusalList', z.object({ data: z.array(refusal) })),
      run: async ({ query, caller }) => ({
        body: { data: withAgentId((await listRefusals(caller.viewer, toWanted(query), first)).rows) },
      }),
    }),
    operation({
      ...of,
      id: 'listLatestRefusals',
      path: '/refusals/latest',
      summary: 'The last refused requests',
      description:
        'The latest first, at most 200, of a week at most; those of one minute that are alike in one.',
      answer: named('LatestRefusalList', z.object({ data: z.array(latestRefusal) })),
      run: async ({ query, caller }) => ({
        body: { data: withAgentId((await listLatestRefusals(caller.viewer, toWanted(query), first)).rows) },
      }),
    }),
  ]
}

export function overviewOperations(): Operation[] {
  return [
    operation({
      id: 'listAttention',
      method: 'GET',
      path: '/attention',
      tag: 'Overview',
      summary: 'What needs attention first',
      permission: 'home.read',
      at: 'anywhere',
      query: z.object(ofBrand),
      answer: named('AttentionList', z.object({ data: z.array(attention) })),
      run: async ({ query, caller }) => ({ body: { data: await listAttention(caller.viewer, query.brand) } }),
    }),
    operation({
      id: 'readTraffic',
      method: 'GET',
      path: '/traffic',
      tag: 'Overview',
      summary: 'What went through, over time',
      description: 'The oldest step first. Refused requests are counted for the Provider as a whole only.',
      permission: 'home.read',
      at: 'anywhere',
      query: z.object({ ...ofBrand, span: z.enum(Object.keys(spans) as [Span, ...Span[]]).default('24h') }),
      answer: named('Traffic', z.object({ data: z.array(point) })),
      async run({ query, caller }) {
        const points = await readTraffic(caller.viewer, query.span, query.brand)
        return { body: { data: points.map(toPoint) } }
      },
    }),
    ...refusalOperations(),
  ]
}
