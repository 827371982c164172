import { randomUUID } from 'node:crypto'
import type { Brand } from '#lib/brands/brand.ts'
import type { StepUpTurn } from '#lib/conversations/conversation.ts'
import { startDeviceAuthorization } from '#lib/delegation/device-authorization.ts'
import { keepDefined } from '#lib/delegation/scopes.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { receiptMetadata } from './receipt-metadata.ts'

/**
 * §5.5: the task that answers a turn which needs more scopes, with a link of its own for them. It is not kept: `tasks/{id}`
 * answers `TASK_NOT_FOUND`.
 *
 * @throws when the database fails, or the turn needs a scope that the Brand does not define: nobody could allow it
 */
export async function buildStepUpTask(turn: StepUpTurn, caller: Caller, brand: Brand) {
  const scopes = [...turn.missingScopes]
  const defined = keepDefined(scopes, brand.delegation)
  if (defined.length < scopes.length) {
    const undefinedScopes = scopes.filter((scope) => !defined.includes(scope))
    throw new Error(`the turn needs scopes that the Brand does not define: ${undefinedScopes.join(' ')}`)
  }
  const { verificationUriComplete } = await startDeviceAuthorization({ brand, caller, scopes })
  // A2A 1.0 requires the message's `messageId`.
  const message = { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text: turn.text }] }
  return {
    task: {
      id: `t-${randomUUID()}`,
      contextId: turn.contextId,
      status: { state: 'TASK_STATE_AUTH_REQUIRED', message },
      metadata: {
        'pact.missingScopes': scopes,
        'pact.verificationUriComplete': verificationUriComplete,
        ...receiptMetadata(turn.receipt),
      },
    },
  }
}
