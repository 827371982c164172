import { type Answer, isStepUp, type StepUp } from '#lib/agents/agent.ts'
import type { Turn } from './claim-turn.ts'
import type { Delegation, Reply, TurnResult } from './conversation.ts'
import { settleLateTurn } from './settle-late-turn.ts'
import { type GrantReceipt, settleStepUp, settleTurn } from './settle-turn.ts'

/**
 * Stores what became of a turn, with its receipt where it ran under a delegation token (§5.6). A turn that sent calls is
 * stored even when its time was over, so that its message has the answer that a retry asks for (§4.3).
 */
export async function settleOutcome(
  turn: Turn,
  outcome: Answer | StepUp,
  delegation: Delegation | undefined,
): Promise<TurnResult> {
  const { actions = [], scopesUsed = [] } = outcome
  const made = delegation && {
    grantId: delegation.grantId,
    receipt: await delegation.signReceipt({ actions, scopesUsed }),
  }
  if (isStepUp(outcome)) return settleStepUpOutcome(turn, outcome, made)
  const settle = outcome.actions.length > 0 ? settleAtAnyRate : settleTurn
  const reply = await settle(turn, outcome, made)
  return reply ? { kind: 'replied', reply, fault: outcome.fault } : tooLate()
}

/** A step-up in which something was done is told at any rate: where it came too late, as the message's reply. */
async function settleStepUpOutcome(turn: Turn, outcome: StepUp, made?: GrantReceipt): Promise<TurnResult> {
  const { actions = [], scopesUsed = [], text, fault } = outcome
  const nothingDone = actions.length === 0
  const settled = settleStepUp(turn, outcome, made)
  const stepUp = await (nothingDone ? settled : settled.catch(() => undefined))
  if (stepUp) return { kind: 'step-up', turn: stepUp, fault }
  if (nothingDone) return tooLate()
  const answer = { reply: text, state: turn.state, close: false, actions, scopesUsed }
  const reply = await settleLateTurn(turn, answer, made)
  return reply ? { kind: 'replied', reply, fault } : tooLate()
}

/** A second attempt, where the first came too late or the database failed it. */
async function settleAtAnyRate(turn: Turn, answer: Answer, made?: GrantReceipt): Promise<Reply | undefined> {
  const reply = await settleTurn(turn, answer, made).catch(() => undefined)
  return reply ?? settleLateTurn(turn, answer, made)
}

function tooLate(): TurnResult {
  return { kind: 'failed', cause: new Error('the turn settled too late') }
}
