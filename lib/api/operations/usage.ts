import { z } from 'zod'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { listUsageByBrand, readUsage } from '#lib/conversations/read-usage.ts'
import { finitePercentile } from '#lib/conversations/traffic-percentile.ts'
import type { Usage } from '#lib/conversations/usage.ts'
import { checkUsageRange, toUsageRange, usageDays, usageRangeSchema } from '#lib/conversations/usage-range.ts'
import { brandRef, brandParams as params, time } from '../answer-parts.ts'
import { rowPage, rowPageReply } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'

const milliseconds = z.number().meta({ description: 'Milliseconds, summed.' })
const percentile = z
  .number()
  .nullable()
  .meta({ description: 'Milliseconds; null: no turn, or longer than is counted.' })

const figures = {
  turns: z.number().meta({ description: 'Every turn, however it ended.' }),
  stepUps: z.number(),
  failedTurns: z.number(),
  turnTime: milliseconds,
  p50: percentile,
  p95: percentile,
  modelCalls: z.number(),
  failedModelCalls: z.number(),
  modelTime: milliseconds,
  inputTokens: z.number(),
  outputTokens: z.number(),
  toolCalls: z.number(),
  failedToolCalls: z.number(),
  toolTime: milliseconds,
}
const step = named('UsageOfStep', z.object({ at: time, ...figures }))
const ofBrand = named('UsageOfBrand', z.object({ brand: brandRef, ...figures }))
const overTime = named('UsageOverTime', z.object({ data: z.array(step), total: z.object(figures) }))

function toFigures<Of extends Usage>(usage: Of) {
  return { ...usage, p50: finitePercentile(usage.p50), p95: finitePercentile(usage.p95) }
}

function toReply({ steps, total }: Awaited<ReturnType<typeof readUsage>>) {
  return { body: { data: steps.map(toFigures), total: toFigures(total) } }
}

const of = { method: 'GET', tag: 'Usage', permission: 'usage.read' } as const
const description = 'The earliest step first. `at` is its beginning.'

export function usageOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'readUsage',
      path: '/usage',
      summary: 'What all Brands together used, over time',
      description: `${description} Of the Brands that the token reaches.`,
      at: 'anywhere',
      query: usageRangeSchema,
      answer: overTime,
      run: async ({ query, caller }) => toReply(await readUsage(caller.viewer, toUsageRange(query))),
    }),
    operation({
      ...of,
      id: 'listUsageByBrand',
      path: '/usage/brands',
      summary: 'What each Brand used',
      description: 'By the Brands’ ids; one that used nothing is there too, unless it is archived.',
      at: 'anywhere',
      query: z.object({ ...usageDays, ...rowPage(brandIdSchema) }).superRefine(checkUsageRange),
      answer: named('UsageOfBrandPage', pageOf(ofBrand)),
      async run({ query: { cursor, limit, from, until }, caller }) {
        const range = toUsageRange({ from, until })
        const { rows, more } = await listUsageByBrand(caller.viewer, range, { after: cursor, limit })
        return rowPageReply(rows.map(toFigures), more ? rows.at(-1)?.brand.id : undefined)
      },
    }),
    operation({
      ...of,
      id: 'readBrandUsage',
      path: '/brands/{brandId}/usage',
      summary: 'What a Brand used, over time',
      description,
      at: 'brand',
      params,
      query: usageRangeSchema,
      answer: overTime,
      run: async ({ params: { brandId }, query, caller }) =>
        toReply(await readUsage(caller.viewer, toUsageRange(query), brandId)),
    }),
  ]
}
