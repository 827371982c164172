import { z } from 'zod'
import type { Answerer, ChatAnswer, ChatRequest } from './chat.ts'

const pattern = z.string().transform((source) => new RegExp(source, 'iu'))

const callSchema = z.strictObject({
  tool: z.string(),
  /** `{name}` in a text stands for a group of the rule's patterns. */
  arguments: z.record(z.string(), z.unknown()).default({}),
})

const ruleSchema = z.strictObject({
  when: z.strictObject({
    /** Stands in what the User said last. */
    user: pattern.optional(),
    /** Stands in what the model said before that. */
    after: pattern.optional(),
    /** This tool has just answered, and its answer has this in it. */
    answered: z.string().optional(),
    answer: pattern.optional(),
    /** This tool is offered. */
    offered: z.string().optional(),
  }),
  /** `{name}` stands for a group of the rule's patterns. */
  say: z.string().optional(),
  call: z.array(callSchema).optional(),
})

/** How a model answers: the first rule that applies. */
export const rulesSchema = z.strictObject({
  rules: z.array(ruleSchema),
  fallback: z.string(),
})

type Rule = z.infer<typeof ruleSchema>
type Groups = Record<string, string>

/** The state of a conversation, as the rules look at it. */
type Seen = {
  user: string
  after: string
  answered: string | undefined
  answer: string
  offered: ReadonlySet<string>
}

function look({ messages, tools = [] }: ChatRequest): Seen {
  const last = messages.at(-1)
  const userAt = messages.findLastIndex(({ role }) => role === 'user')
  const before = messages.slice(0, userAt).findLast(({ role }) => role === 'assistant')
  const calls = messages.flatMap(({ tool_calls }) => tool_calls ?? [])
  const answered = last?.role === 'tool' ? calls.find(({ id }) => id === last.tool_call_id) : undefined
  return {
    user: messages[userAt]?.content ?? '',
    after: before?.content ?? '',
    answered: answered?.function.name,
    answer: last?.role === 'tool' ? last.content : '',
    offered: new Set(tools.map((tool) => tool.function.name)),
  }
}

/** The groups of the rule's patterns; undefined where it does not apply. */
function match({ when }: Rule, seen: Seen): Groups | undefined {
  if (when.answered !== seen.answered) return undefined
  if (when.offered !== undefined && !seen.offered.has(when.offered)) return undefined
  const groups: Groups = {}
  for (const part of ['after', 'user', 'answer'] as const) {
    const found = when[part]?.exec(seen[part])
    if (when[part] && !found) return undefined
    Object.assign(groups, found?.groups)
  }
  return groups
}

function fill(text: string, groups: Groups): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => groups[name] ?? whole)
}

function toAnswer({ say, call }: Rule, groups: Groups): ChatAnswer {
  return {
    ...(say === undefined ? {} : { text: fill(say, groups) }),
    ...(call === undefined
      ? {}
      : {
          calls: call.map(({ tool, arguments: given }) => ({
            tool,
            arguments: Object.fromEntries(
              Object.entries(given).map(([name, value]) => [
                name,
                typeof value === 'string' ? fill(value, groups) : value,
              ]),
            ),
          })),
        }),
  }
}

/** A model of rules. @throws when they are no such rules */
export function answerByRules(content: unknown): Answerer {
  const { rules, fallback } = rulesSchema.parse(content)
  return (request) => {
    const seen = look(request)
    for (const rule of rules) {
      const groups = match(rule, seen)
      if (groups) return toAnswer(rule, groups)
    }
    return { text: fallback }
  }
}
