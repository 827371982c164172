import { z } from 'zod'
import { identifier, reply, template } from './authored-text.ts'
import { compilePattern } from './pattern.ts'
import { buildPhrase } from './words.ts'

/** How long a turn may take when a Brand does not say, in seconds. */
const DEFAULT_TIME_LIMIT_SECONDS = 20

/** A variable's name. Templates have `match` and `text` already. */
const variableName = identifier.refine((name) => name !== 'match' && name !== 'text', {
  message: 'must not be "match" or "text"',
})

const pattern = z
  .string()
  .min(1)
  .max(2_048)
  .superRefine((source, context) => {
    const compiled = compilePattern(source)
    if (!compiled.ok)
      context.addIssue({ code: 'custom', message: `is not a valid pattern: ${compiled.reason}` })
  })

const phrase = z
  .string()
  .max(200)
  .refine((text) => buildPhrase(text) !== undefined, { message: 'must contain a letter or a digit' })

/** When a rule applies: every condition given must hold; none given always holds. */
export const conditionSchema = z.strictObject({
  /** A regular expression (RE2 syntax), searched in the text without case; its named groups become `match.…`. */
  match: pattern.optional(),
  /** Any of these words or phrases stands in the text. */
  words: z.array(phrase).min(1).max(200).optional(),
  /** The conversation's `state` equals this. */
  state: z.string().min(1).max(200).optional(),
})

/** What a rule remembers for later turns: templates, or values as they are; `null` forgets. */
const assignmentsSchema = z.record(variableName, z.union([template, z.number(), z.boolean(), z.null()]))

export const toolCallSchema = z.strictObject({
  tool: identifier,
  /** Templates, or values as they are. They see `match`, `text`, what is remembered, and earlier results. */
  arguments: z.record(z.string(), z.union([template, z.number(), z.boolean(), z.null()])).optional(),
  /** The name under which later templates see the JSON that the tool answered. */
  as: variableName.optional(),
})

export const ruleSchema = z.strictObject({
  when: conditionSchema,
  /** Tools to call, in this order, before the reply. */
  call: z.array(toolCallSchema).min(1).max(10).optional(),
  /** What the User is told where a tool's scope is missing (§5.5). */
  missingScopes: template.optional(),
  /**
   * The reply where a call fails. It sees `failure.tool`, `failure.status`, `failure.body`, and `failure.unknown`: whether
   * the call may have done its work all the same. Left out: the fallback, or after a change words that say so.
   */
  failed: template.optional(),
  set: assignmentsSchema.optional(),
  reply,
  /** The conversation ends with this reply (§4.2). */
  close: z.boolean().optional(),
  /** Answers after a pause, as a person would. It counts towards the time limit: a turn that it uses up fails. */
  delaySeconds: z.number().min(0).max(60).optional(),
})

const rulesSchema = z.array(ruleSchema).max(1_000).default([])

/** As an author writes them: none may make later ones useless. */
const writtenRulesSchema = rulesSchema.superRefine((rules, context) => {
  for (const [index, { when }] of rules.slice(0, -1).entries()) {
    if (Object.keys(when).length > 0) continue
    const message = 'without a condition it hides every later rule: only the last rule may be so'
    context.addIssue({ code: 'custom', path: [index, 'when'], message })
  }
})

/** The scripted driver: the first rule that applies answers; the fallback answers where none does. */
export const scriptedAgentSchema = z.strictObject({
  driver: z.literal('scripted'),
  timeLimitSeconds: z.number().min(0.1).max(120).default(DEFAULT_TIME_LIMIT_SECONDS),
  rules: rulesSchema,
  fallback: reply,
})

/** As it is written: {@link scriptedAgentSchema} with rules that all can apply. */
export const writtenScriptedAgentSchema = scriptedAgentSchema.extend({ rules: writtenRulesSchema })

export type Condition = z.infer<typeof conditionSchema>
export type Rule = z.infer<typeof ruleSchema>
export type ScriptedAgent = z.infer<typeof scriptedAgentSchema>
