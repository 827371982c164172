import { z } from 'zod'
import { isStorable } from '#lib/platform/text.ts'

/** By what the list of personal agents may be ordered; with a minus, the other way round. */
export const agentOrders = ['name', '-name', 'created', '-created'] as const

/** What an address asks of the list of personal agents. What makes no sense there counts as not said. */
export const agentListSchema = z.object({
  /** A part of the name or the issuer. */
  q: z.string().trim().min(1).max(400).refine(isStorable).optional().catch(undefined),
  state: z.enum(['enabled', 'disabled']).optional().catch(undefined),
  origin: z.enum(['registered', 'discovered']).optional().catch(undefined),
  /** Only those whose keys could not be had lately. */
  keys: z.enum(['failing']).optional().catch(undefined),
  sort: z.enum(agentOrders).default('name').catch('name'),
  /** The row beside which the page lies. */
  before: z.uuid().optional().catch(undefined),
  after: z.uuid().optional().catch(undefined),
})

export type AgentListQuery = z.infer<typeof agentListSchema>
export type AgentOrder = (typeof agentOrders)[number]
