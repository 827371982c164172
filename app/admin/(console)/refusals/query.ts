import { z } from 'zod'
import { countedReasons } from '#lib/identity/refusal.ts'

/** What the address may say; nonsense counts as not said. */
export const querySchema = z.object({
  hours: z.enum(['1', '24', '168', '720']).catch('24'),
  reason: z.enum(countedReasons).optional().catch(undefined),
  agent: z.uuid().optional().catch(undefined),
})

export type RefusalQuery = z.output<typeof querySchema>
