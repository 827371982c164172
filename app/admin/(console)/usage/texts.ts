import { numberText as count } from '#components/ui/number-text.ts'
import { spanLabels } from '../texts.ts'

/** Every text of the pages that show what Brands use. */
export const texts = {
  title: 'Usage',
  description: 'What the Brands’ agents did, and what it took.',
  count,
  spans: spanLabels,
  spanHint: {
    '24h': 'The last 24 hours, the present one included.',
    '7d': 'The last 7 days in UTC, today included.',
    '30d': 'The last 30 days in UTC, today included.',
  },
  figures: {
    turns: 'Turns',
    failedTurns: 'Failed turns',
    stepUps: 'Step-ups',
    p50: 'p50',
    p95: 'p95',
    modelCalls: 'Model calls',
    failedModelCalls: 'Failed model calls',
    inputTokens: 'Input tokens',
    outputTokens: 'Output tokens',
    toolCalls: 'Tool calls',
    failedToolCalls: 'Failed tool calls',
    tokens: 'Tokens',
    turnTime: 'Time of a turn',
  },
  failed: (failed: number) => (failed === 0 ? 'none failed' : `${count(failed)} failed`),
  turnDetail: (failed: number, stepUps: number) =>
    `${texts.failed(failed)}, ${stepUps === 1 ? '1 step-up' : `${count(stepUps)} step-ups`}`,
  tokenDetail: (input: number, output: number) => `${count(input)} in, ${count(output)} out`,
  p95Detail: (time: string) => `95 of 100 within ${time}`,
  charts: {
    turns: 'Turns',
    times: 'How long turns take',
    timesHint: 'Half of them, and 95 of 100, took no longer.',
    calls: 'Calls',
    tokens: 'Tokens',
  },
  byStep: { hour: 'By the hour', day: 'By the day (UTC)' },
  step: { hour: 'Hour', day: 'Day' },
  byBrand: 'By Brand',
  brand: 'Brand',
  most: (shown: number) => `The first ${shown} of this order. The API lists all of them.`,
  noBrandTitle: 'No Brand yet',
  noBrand: 'What its agent does is counted from its first turn on.',
  noBrandAction: 'To the Brands',
  emptyTitle: {
    '24h': 'No turn in the last 24 hours',
    '7d': 'No turn in the last 7 days',
    '30d': 'No turn in the last 30 days',
  },
  further: 'Look further back',
  talk: 'Talk to the agent, and its first turn is counted within seconds:',
} as const
