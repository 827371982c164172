import type { Action } from '#lib/agents/agent.ts'
import { pool } from '#lib/platform/database.ts'
import type { Turn } from './claim-turn.ts'

export const doneBeforeStatement = {
  name: 'done-before',
  text: `
SELECT action.value AS "action" FROM "Receipt" r, jsonb_array_elements(r."claims"->'actions') action
WHERE r."conversationId" = $1 AND r."brandId" = $2 AND r."messageId" = $3 ORDER BY r."id"`,
}

/**
 * What was done under a message that has no reply yet: a turn that ends in step-up (§5.5) leaves its receipt, and its message
 * runs again. One statement.
 */
export async function readDoneBefore({ contextId, brandId, messageId }: Turn): Promise<Action[]> {
  const { rows } = await pool().query<{ action: Action }>({
    ...doneBeforeStatement,
    values: [contextId, brandId, messageId],
  })
  return rows.map(({ action }) => action)
}
