import { z } from 'zod'
import { displayText } from '#lib/platform/text.ts'
import type { Action } from '../agent.ts'
import { hashArguments } from '../tools/arguments-hash.ts'
import { type BotDone, unusableAnswer } from './bot-error.ts'

/** How many calls of its API a bot may tell of in one turn. */
const MAX_ACTIONS = 50

const scope = z.string().min(1).max(200)
const scopes = z.array(scope).max(200)

const action = z
  .strictObject({
    tool: displayText({ max: 200 }),
    args: z.record(z.string(), z.unknown()).optional(),
    /** Base64url SHA-256 of the arguments in RFC 8785 form, where the bot keeps the arguments to itself. */
    argsHash: z
      .string()
      .regex(/^[\w-]{43}$/, 'must be a SHA-256 in base64url')
      .optional(),
  })
  .refine(({ args, argsHash }) => args === undefined || argsHash === undefined, {
    message: 'must have args or argsHash, not both',
  })

/** What the bot says that it did. */
const done = { actions: z.array(action).max(MAX_ACTIONS).default([]), scopesUsed: scopes.default([]) }

const replySchema = z.strictObject({
  reply: z.string(),
  /** The conversation ends with this reply (§4.2). */
  close: z.boolean().default(false),
  /** What the next call of this conversation brings back; left out: what it was. */
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  ...done,
})

/** §5.5: what the bot lacks, and how it says so. */
const stepUpSchema = z.strictObject({ missingScopes: scopes.min(1), text: z.string(), ...done })

/** What a bot may answer. Texts and state are checked like every agent's, by whoever runs the turn. */
export type BotAnswer =
  | (Omit<z.infer<typeof replySchema>, keyof BotDone> & BotDone)
  | (Omit<z.infer<typeof stepUpSchema>, keyof BotDone> & BotDone)

function toAction({ tool, args, argsHash }: z.infer<typeof action>): Action {
  const hash = args === undefined ? argsHash : hashArguments(args)
  return hash === undefined ? { tool } : { tool, argsHash: hash }
}

function isStepUp(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'missingScopes' in value
}

const members: ReadonlySet<unknown> = new Set([
  ...Object.keys(replySchema.shape),
  ...Object.keys(stepUpSchema.shape),
  ...Object.keys(action.shape),
])

/** What is wrong first. A bot names members as it likes, and may put there what it was told: only known names are repeated. */
function describe([issue]: readonly z.core.$ZodIssue[]): string {
  if (!issue) return 'it is not understood'
  const steps = issue.path.map((step) =>
    typeof step === 'number' || members.has(step) ? String(step) : '(unknown)',
  )
  const reason = issue.code === 'unrecognized_keys' ? 'has a member that is not known' : issue.message
  return `${['answer', ...steps].join('.')}: ${reason}`
}

const doneSchema = z.object(done)

function toDone({ actions, scopesUsed }: z.infer<typeof doneSchema>): BotDone {
  return { actions: actions.map(toAction), scopesUsed: [...new Set(scopesUsed)] }
}

/** What an answer that is unusable tells of what was done. */
function findDone(value: unknown): BotDone | undefined {
  const parsed = doneSchema.safeParse(value)
  try {
    return parsed.success ? toDone(parsed.data) : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads what a bot answered. Strictly: of an answer that says more than is understood, nothing is done.
 *
 * @throws BotError naming the first member that is wrong, with what the bot did where that can be read
 */
export function readBotAnswer(value: unknown): BotAnswer {
  const parsed = (isStepUp(value) ? stepUpSchema : replySchema).safeParse(value)
  if (!parsed.success) {
    throw unusableAnswer(describe(parsed.error.issues), { done: findDone(value) })
  }
  const { actions, scopesUsed, ...answer } = parsed.data
  try {
    return { ...answer, ...toDone({ actions, scopesUsed }) }
  } catch (cause) {
    throw unusableAnswer('arguments have no canonical form', { cause })
  }
}
