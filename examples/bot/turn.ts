import { z } from 'zod'

/** A turn, as the Provider posts it. What else it brings is not needed here. */
export const turnSchema = z.object({
  contextId: z.string(),
  messageId: z.string(),
  text: z.string(),
  /** What the bot's last answer of this conversation left; empty at first. */
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** As whom the bot may act at the Brand's API, with which token; null: nobody has allowed anything. */
  access: z.object({ brandUserId: z.string(), scopes: z.array(z.string()), token: z.string() }).nullable(),
})

export type Turn = z.infer<typeof turnSchema>

/** What a bot answers: a reply and what it did for it, or what it lacks. */
export type Answer =
  | {
      reply: string
      close?: boolean
      state?: Turn['state']
      actions?: { tool: string; args?: Record<string, unknown> }[]
      scopesUsed?: string[]
    }
  | { missingScopes: string[]; text: string }
