import { z } from 'zod'
import { displayText, isStorable } from '#lib/platform/text.ts'
import { identifier } from '../authored-text.ts'
import { MAX_CHECKED_TURNS } from './max-turns.ts'

/** The most checks that a Brand may keep. */
export const MAX_CHECKS = 100

const said = z
  .string()
  .min(1)
  .max(8_192)
  .refine(isStorable, 'must not contain U+0000 or lone surrogates')
  .refine((text) => text.trim() !== '', 'must not be blank')

/** What stands in for the Brand's API where a tool is called. */
export const standInSchema = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  /** JSON; left out: none. */
  body: z.json().optional(),
})

const expectedCallSchema = z.strictObject({
  tool: identifier,
  /** Arguments that it must have, with these values; others are not looked at. The Brand's own bot must have had exactly these. */
  arguments: z.record(z.string(), z.json()).optional(),
})

/** The calls of a turn, in their order. */
export const expectedCallsSchema = z.array(expectedCallSchema).max(20)

const wordsSchema = z.array(displayText({ max: 200 })).max(50)

/** One turn of a check: what the User says, and what must happen then. */
export const checkedTurnSchema = z.strictObject({
  say: said,
  /**
   * The tools that must be called, in this order and no others; left out: they are not looked at. Of the Brand's own bot, what
   * it says that it did.
   */
  calls: expectedCallsSchema.optional(),
  /** The turn must end in step-up for exactly these scopes; left out: it must not (§5.5). */
  stepUp: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  /** What must stand in the reply, whatever its case. */
  has: wordsSchema.optional(),
  hasNot: wordsSchema.optional(),
  /** Whether the conversation must end with the reply; left out: that is not looked at. */
  closes: z.boolean().optional(),
})

/** An example conversation, and what must come of it. */
export const checkSchema = z.strictObject({
  /** Unique at its Brand. */
  name: displayText({ max: 200 }),
  /** What the User has allowed; left out: there is no delegation token. */
  scopes: z.array(z.string().min(1).max(200)).max(200).optional(),
  /** What the Brand's API answers, by tool. A tool without an answer must not be called. */
  answers: z.record(identifier, standInSchema).default({}),
  turns: z.array(checkedTurnSchema).min(1).max(MAX_CHECKED_TURNS),
})

export const checksSchema = z.array(checkSchema).max(MAX_CHECKS).default([])

export type StandIn = z.infer<typeof standInSchema>
export type CheckedTurn = z.infer<typeof checkedTurnSchema>
export type Check = z.infer<typeof checkSchema>
