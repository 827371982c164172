import { z } from 'zod'
import { displayText } from '#lib/platform/text.ts'
import { serviceUrl } from '#lib/platform/urls.ts'
import { compilePattern } from './pattern.ts'
import { parseTemplate } from './template.ts'
import { findSchemaFault } from './tools/argument-schema.ts'
import { parseUrlTemplate } from './tools/url-template.ts'
import { buildPhrase } from './words.ts'

/** How long a turn may take when a Brand does not say, in seconds. */
export const DEFAULT_TIME_LIMIT_SECONDS = 20

/** A name that templates and rules can refer to. */
const identifier = z
  .string()
  .regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'must be letters, digits and underscores')

/** A variable's name. Templates have `match` and `text` already. */
const variableName = identifier.refine((name) => name !== 'match' && name !== 'text', {
  message: 'must not be "match" or "text"',
})

const template = z
  .string()
  .max(16_384)
  .superRefine((source, context) => {
    const parsed = parseTemplate(source)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: `is not a valid template: ${parsed.reason}` })
  })

/** What a person reads as an answer. */
const reply = template.refine((source) => source.trim() !== '', 'must not be blank')

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

const argumentsSchema = z.record(z.string(), z.json()).superRefine((schema, context) => {
  const fault = findSchemaFault(schema)
  if (fault) context.addIssue({ code: 'custom', message: fault })
})

const urlTemplate = (options: { allowLoopback: boolean }) =>
  serviceUrl(options).superRefine((source, context) => {
    const parsed = parseUrlTemplate(source)
    if (!parsed.ok) context.addIssue({ code: 'custom', message: parsed.reason })
  })

/** The first of a URL's variables that is not one of the arguments. */
function findUnknownVariable(url: string, schema: Record<string, unknown> | undefined): string | undefined {
  const parsed = parseUrlTemplate(url)
  const known = new Set(Object.keys(schema?.properties ?? {}))
  return parsed.ok ? parsed.template.variables.find((name) => !known.has(name)) : undefined
}

const toolMembers = {
  name: identifier,
  description: displayText({ max: 1_000, lines: true }),
  scope: z.string().optional(),
  changes: z.boolean().default(false),
}

const requestMembers = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  /** How long a call may take; less where the turn's own time is shorter. Left out: 10. */
  timeLimitSeconds: z.number().min(0.1).max(120).optional(),
}

/** A tool as it is stored: its JSON Schema and its URL were checked before that. */
export const storedToolSchema = z.strictObject({
  ...toolMembers,
  arguments: z.record(z.string(), z.json()).optional(),
  request: z.strictObject({ ...requestMembers, url: z.string() }),
})

/** A tool: one HTTP call to the Brand's API. */
export function toolSchema(options: { allowLoopback: boolean }) {
  return z
    .strictObject({
      ...toolMembers,
      /** JSON Schema (2020-12); left out, the tool takes none. */
      arguments: argumentsSchema.optional(),
      request: z.strictObject({ ...requestMembers, url: urlTemplate(options) }),
    })
    .superRefine(({ arguments: schema, request }, context) => {
      const name = findUnknownVariable(request.url, schema)
      if (name === undefined) return
      const message = `has {${name}}, which is not one of the properties of the tool's arguments`
      context.addIssue({ code: 'custom', message, path: ['request', 'url'] })
    })
}

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

/** What is stored of a Brand's agent, beside its tools. */
export const agentSchema = z.discriminatedUnion('driver', [scriptedAgentSchema])

/** A Brand's agent as the provision file has it. */
export function agentWithToolsSchema(options: { allowLoopback: boolean }) {
  return z.discriminatedUnion('driver', [
    scriptedAgentSchema.extend({
      rules: writtenRulesSchema,
      tools: z.array(toolSchema(options)).max(200).default([]),
    }),
  ])
}

export type Condition = z.infer<typeof conditionSchema>
export type Rule = z.infer<typeof ruleSchema>
export type ScriptedAgent = z.infer<typeof scriptedAgentSchema>
export type AgentSettings = z.infer<typeof agentSchema>
export type ToolSettings = z.infer<ReturnType<typeof toolSchema>>
