import { noUsage, type TurnRequest } from '#lib/agents/agent.ts'
import { BRAND_ID } from './provision.ts'

/** A turn of nobody in particular, under §3, at the beginning of a conversation. */
export function turnRequest(change: Partial<TurnRequest> = {}): TurnRequest {
  return {
    brandId: BRAND_ID,
    text: 'Hello',
    state: {},
    contextId: 'c-1',
    messageId: 'm-1',
    access: undefined,
    caller: async () => ({ issuer: 'https://pa.example', name: 'A PA', subject: 'user-1' }),
    history: async () => [],
    earlierCalls: async () => [],
    secret: async () => undefined,
    usage: noUsage(),
    ...change,
  }
}
