import { z } from 'zod'
import type { CheckResult, JudgedTurn } from '#lib/agents/checks/run-checks.ts'
import { anyJson } from './answer-parts.ts'
import { named } from './named-schemas.ts'

const turn = z.object({
  say: z.string(),
  /** What should not be so; empty: the turn passed. */
  faults: z.array(z.string()),
  /** Absent where the turn failed. */
  reply: z.string().optional(),
  fault: z.string().optional(),
  missingScopes: z.array(z.string()),
  closes: z.boolean(),
  /** As they would have gone out: the Brand's API heard nothing of them. */
  calls: z.array(z.object({ tool: z.string(), arguments: anyJson, method: z.string(), url: z.string() })),
  modelCalls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  milliseconds: z.number(),
})

/** What came of a check. */
export const checkResult = named(
  'CheckResult',
  z.object({
    name: z.string(),
    passed: z.boolean(),
    /** Empty where there was no time to run it. */
    turns: z.array(turn),
  }),
)

function toTurn({ say, faults, turn: made }: JudgedTurn): z.input<typeof turn> {
  const { reply, fault, missingScopes, close, calls, usage, time } = made
  const { modelCalls, inputTokens, outputTokens } = usage
  return {
    say,
    faults: [...faults],
    ...(reply === undefined ? {} : { reply }),
    ...(fault === undefined ? {} : { fault }),
    missingScopes: [...missingScopes],
    closes: close,
    calls: calls.map(({ tool, arguments: given, method, url }) => ({ tool, arguments: given, method, url })),
    modelCalls,
    inputTokens,
    outputTokens,
    milliseconds: Math.round(time),
  }
}

/** A check's result as the API answers it. */
export function toCheckResult({ name, passed, turns }: CheckResult): z.input<typeof checkResult> {
  return { name, passed, turns: turns.map(toTurn) }
}
