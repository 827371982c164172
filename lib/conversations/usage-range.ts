import { z } from 'zod'
import { now } from '#lib/platform/clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What time is put together by. Days are those of UTC. */
export type UsageStep = 'hour' | 'day'

/** Some time that is looked at: from the beginning of a step to the end of another. */
export type UsageRange = { from: Date; before: Date; by: UsageStep }

const lengths: Readonly<Record<UsageStep, number>> = { hour: HOUR, day: DAY }

/** The days that a range may have. */
const mostDays: Readonly<Record<UsageStep, number>> = { hour: 31, day: 400 }

/** How far the console's pages look back: so many steps, the present one last. */
export const usageSpans = {
  '24h': { by: 'hour', steps: 24 },
  '7d': { by: 'day', steps: 7 },
  '30d': { by: 'day', steps: 30 },
} as const satisfies Record<string, { by: UsageStep; steps: number }>

export type UsageSpan = keyof typeof usageSpans

export const usageSpanSchema = z.enum(Object.keys(usageSpans) as [UsageSpan, ...UsageSpan[]])

const floor = (time: number, length: number) => Math.floor(time / length) * length

/** The range of a span that ends with the present step. */
export function rangeOfSpan(span: UsageSpan): UsageRange {
  const { by, steps } = usageSpans[span]
  const length = lengths[by]
  const before = floor(now(), length) + length
  return { from: new Date(before - steps * length), before: new Date(before), by }
}

/** The beginnings of a range's steps, the earliest first. */
export function stepsOf({ from, before, by }: UsageRange): Date[] {
  const length = lengths[by]
  const count = (before.getTime() - from.getTime()) / length
  return Array.from({ length: count }, (_, index) => new Date(from.getTime() + index * length))
}

const day = z.iso.date().transform((text) => new Date(`${text}T00:00:00Z`).getTime())

/** The days of a range as the API is asked for them. Without them: the last 30 by day, today by hour. */
export const usageDays = {
  from: day.optional().meta({ description: 'The first day (UTC).' }),
  until: day.optional().meta({ description: 'The last day (UTC).' }),
}

type Asked = { from?: number | undefined; until?: number | undefined; by?: UsageStep }

/** The range that a query asks for. */
export function toUsageRange({ from, until, by = 'day' }: Asked): UsageRange {
  const last = until ?? Math.max(floor(now(), DAY), from ?? 0)
  const first = from ?? last - (by === 'day' ? 29 : 0) * DAY
  return { from: new Date(first), before: new Date(last + DAY), by }
}

/** For a schema with {@link usageDays}: refuses what is no range, or too long a one. */
export function checkUsageRange(asked: Asked, context: z.RefinementCtx): void {
  const { from, before, by } = toUsageRange(asked)
  const days = (before.getTime() - from.getTime()) / DAY
  const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['from'], message })
  if (days < 1) refuse('must not lie after the last day')
  if (days > mostDays[by]) refuse(`must lie at most ${mostDays[by] - 1} days before the last day`)
}

/** A range and its steps as the API is asked for them. */
export const usageRangeSchema = z
  .object({
    ...usageDays,
    by: z
      .enum(['hour', 'day'])
      .default('day')
      .meta({ description: 'The length of a step. By hour at most 31 days, by day 400.' }),
  })
  .superRefine(checkUsageRange)
