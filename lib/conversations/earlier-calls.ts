import type { EarlierCall } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import { rowHas } from '#lib/platform/row-has.ts'
import type { Turn } from './claim-turn.ts'

export const earlierCallsStatement = {
  name: 'earlier-calls',
  text: `
SELECT call."value" AS "call" FROM "StepUp" s, jsonb_array_elements(s."calls") WITH ORDINALITY AS call("value", "place")
WHERE s."conversationId" = $1 AND ${rowHas('s', { brandId: '$2', messageId: '$3' })} ORDER BY s."id", call."place"`,
}

/** What earlier runs of a turn's message, which ended in step-up (§5.5), left for this one. One statement. */
export async function readEarlierCalls({ contextId, brandId, messageId }: Turn): Promise<EarlierCall[]> {
  const { rows } = await pool().query<{ call: EarlierCall }>({
    ...earlierCallsStatement,
    values: [contextId, brandId, messageId],
  })
  return rows.map(({ call }) => call)
}
