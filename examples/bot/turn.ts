import { z } from 'zod'

/** A turn, as the Provider posts it. What else it brings is not needed here. */
export const turnSchema = z.object({
  contextId: z.string(),
  messageId: z.string(),
  text: z.string(),
  /** What the bot's last answer of this conversation left; empty at first. */
  state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
})

export type Turn = z.infer<typeof turnSchema>

/** What a bot answers: a reply, or what it lacks. */
export type Answer =
  | { reply: string; close?: boolean; state?: Turn['state'] }
  | { missingScopes: string[]; text: string }
