import { Prisma } from '#prisma/generated/client.ts'
import { type TrafficKind, turnBounds, turnKinds, type UsageKind } from './traffic.ts'
import { percentileOf } from './traffic-percentile.ts'
import type { UsageRange, UsageStep } from './usage-range.ts'

type Sum = { of: 'count' | 'milliseconds'; kinds: readonly (TrafficKind | UsageKind)[] }

const turns = ['message', 'step_up', 'error'] as const

/** What each figure of {@link Usage} is the sum of. */
const sums = {
  turns: { of: 'count', kinds: turns },
  stepUps: { of: 'count', kinds: ['step_up'] },
  failedTurns: { of: 'count', kinds: ['error'] },
  turnTime: { of: 'milliseconds', kinds: turns },
  modelCalls: { of: 'count', kinds: ['model_call'] },
  failedModelCalls: { of: 'count', kinds: ['failed_model_call'] },
  modelTime: { of: 'milliseconds', kinds: ['model_call'] },
  inputTokens: { of: 'count', kinds: ['input_token'] },
  outputTokens: { of: 'count', kinds: ['output_token'] },
  toolCalls: { of: 'count', kinds: ['tool_call'] },
  failedToolCalls: { of: 'count', kinds: ['failed_tool_call'] },
  toolTime: { of: 'milliseconds', kinds: ['tool_call'] },
} as const satisfies Record<string, Sum>

export type Figure = keyof typeof sums

const figures = Object.keys(sums) as Figure[]

/**
 * What a Brand's agent, or several, used in some time. Every turn counts, however it ended; `stepUps` and `failedTurns` are
 * among `turns`. Times in milliseconds, summed.
 */
export type Usage = Record<Figure, number> & {
  /** The bounds below which half of the turns, and 95 of 100, ended, in milliseconds; undefined without turns. */
  p50: number | undefined
  p95: number | undefined
}

/** What {@link usageBy} reads of one key; null where a Brand used nothing. */
export type UsageRow = Record<Figure, number | null> & { turnTimes: number[] | null }

const sumOf = ({ of, kinds }: Sum) =>
  `coalesce(sum("${of}") FILTER (WHERE "kind" IN (${kinds.map((kind) => `'${kind}'`).join(', ')})), 0)::float8`

const columns = Prisma.raw(
  [
    ...figures.map((figure) => `${sumOf(sums[figure])} AS "${figure}"`),
    `ARRAY[${turnKinds.map((kind) => `coalesce(sum("count") FILTER (WHERE "kind" = '${kind}'), 0)::float8`)}] AS "turnTimes"`,
  ].join(', '),
)

/** Where traffic is counted by steps of some length, and the column that says when a step begins. */
const counted = {
  hour: { table: Prisma.raw('"TrafficHour"'), at: Prisma.raw('"hour"') },
  day: { table: Prisma.raw('"TrafficDay"'), at: Prisma.raw('"day"') },
} as const satisfies Record<UsageStep, unknown>

/**
 * In SQL: what was used in a range, a row for each `key`.
 *
 * @param key what is put together: each step of the range, or each Brand
 * @param condition which Brands count
 */
export function usageBy(
  { from, before, by }: UsageRange,
  key: 'step' | 'brand',
  condition: Prisma.Sql,
): Prisma.Sql {
  const { table, at } = counted[by]
  // Added up by kind first: the many sums are then made of few rows.
  return Prisma.sql`
    SELECT "key", ${columns} FROM (
      SELECT ${key === 'step' ? at : Prisma.raw('"brandId"')} AS "key", "kind", sum("count") AS "count",
        sum("milliseconds") AS "milliseconds"
      FROM ${table} WHERE ${at} >= ${from} AND ${at} < ${before} AND ${condition} GROUP BY 1, 2
    ) counted GROUP BY "key"`
}

/** Adds rows up to what was used in all of them. */
export function toUsage(rows: readonly UsageRow[]): Usage {
  const sum = (read: (row: UsageRow) => number | null | undefined) =>
    rows.reduce((total, row) => total + (read(row) ?? 0), 0)
  const counts = new Map(
    [...turnBounds, Number.POSITIVE_INFINITY].map((bound, index) => [
      bound,
      sum(({ turnTimes }) => turnTimes?.[index]),
    ]),
  )
  const summed = figures.map((figure) => [figure, sum((row) => row[figure])])
  return {
    ...(Object.fromEntries(summed) as Record<Figure, number>),
    p50: percentileOf(counts, 0.5),
    p95: percentileOf(counts, 0.95),
  }
}
