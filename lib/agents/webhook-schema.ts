import { z } from 'zod'
import { serviceUrl } from '#lib/platform/urls.ts'

/** The `webhook` driver: the Brand's own bot answers, which is posted each turn. */
export function webhookAgentSchema(options: { allowLoopback: boolean }) {
  return z.strictObject({
    driver: z.literal('webhook'),
    /** Where the bot is. It finds this very text in the signature of each call. */
    url: serviceUrl(options),
    /** Whether a call brings the conversation's earlier turns, or the new message alone. */
    history: z.enum(['full', 'new']).default('new'),
    timeLimitSeconds: z.number().min(0.1).max(120).default(20),
  })
}

export type WebhookAgent = z.infer<ReturnType<typeof webhookAgentSchema>>
