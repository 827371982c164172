import { percentileOf } from '#lib/conversations/traffic-percentile.ts'
import { prisma } from '#lib/platform/database.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { ofBrands } from './list-scope.ts'
import { brandFilter, type Viewer } from './permissions.ts'
import { seesRefusals } from './refusals.ts'

/** How far back the charts look, and how long one of their steps is, in hours. */
export const spans = {
  '24h': { hours: 24, step: 1 },
  '7d': { hours: 7 * 24, step: 24 },
  '30d': { hours: 30 * 24, step: 24 },
} as const

export type Span = keyof typeof spans

/** One step of the charts. `p50` and `p95` in milliseconds. */
export type Point = {
  at: Date
  messages: number
  stepUps: number
  errors: number
  consents: number
  denials: number
  tokens: number
  refusals: number
  p50: number | undefined
  p95: number | undefined
}

type Row = { at: Date; kind: string; count: bigint }

/** Where it is counted: steps of whole days are read off the days. */
const stores = {
  hours: {
    traffic: Prisma.raw('"TrafficHour"'),
    refused: Prisma.raw('"RefusedRequests"'),
    at: Prisma.raw('"hour"'),
  },
  days: { traffic: Prisma.raw('"TrafficDay"'), refused: Prisma.raw('"RefusedDay"'), at: Prisma.raw('"day"') },
}

function toPoint(at: Date, rows: readonly Row[]): Point {
  const sum = (kind: string) =>
    rows.reduce((total, row) => total + (row.kind === kind ? Number(row.count) : 0), 0)
  const turns = rows.filter(({ kind }) => kind.startsWith('turn:'))
  const counts = new Map(
    turns.map(({ kind, count }) => {
      const bound = kind.slice('turn:'.length)
      return [bound === 'more' ? Number.POSITIVE_INFINITY : Number(bound), Number(count)] as const
    }),
  )
  return {
    at,
    messages: sum('message'),
    stepUps: sum('step_up'),
    errors: sum('error'),
    consents: sum('consent_approved'),
    denials: sum('consent_denied'),
    tokens: sum('token'),
    refusals: sum('refused'),
    p50: percentileOf(counts, 0.5),
    p95: percentileOf(counts, 0.95),
  }
}

/**
 * What went through, step by step, the oldest first, the present step last; for one Brand or all that the viewer may see.
 * Refused requests are there for whom {@link seesRefusals} names.
 */
export async function readTraffic(viewer: Viewer, span: Span, brand?: string): Promise<Point[]> {
  const filter = brandFilter(viewer, 'home.read', brand)
  const { hours, step } = spans[span]
  const seconds = step * 3_600
  const { traffic, refused, at } = step % 24 === 0 ? stores.days : stores.hours
  const binOf = (time: Prisma.Sql) =>
    Prisma.sql`date_bin(${seconds} * interval '1 second', ${time}, to_timestamp(0))`
  const [clock] = await prisma().$queryRaw<{ last: Date }[]>`
    SELECT ${binOf(Prisma.sql`now()`)} AS "last"`
  const last = clock?.last.getTime() ?? 0
  const count = hours / step
  const first = new Date(last - (count - 1) * seconds * 1_000)
  const withRefusals = seesRefusals(viewer, brand)
  const rows = await prisma().$queryRaw<Row[]>`
    SELECT ${binOf(at)} AS "at", "kind", sum("count")::bigint AS "count" FROM ${traffic}
    WHERE ${at} >= ${first} AND ${ofBrands(filter)} GROUP BY 1, 2
    UNION ALL
    SELECT ${binOf(at)}, 'refused', sum("count")::bigint FROM ${refused}
    WHERE ${withRefusals} AND ${at} >= ${first} GROUP BY 1`
  return Array.from({ length: count }, (_, index) => {
    const begin = new Date(first.getTime() + index * seconds * 1_000)
    return toPoint(
      begin,
      rows.filter((row) => row.at.getTime() === begin.getTime()),
    )
  })
}
