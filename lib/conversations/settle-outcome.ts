import { type Answer, isStepUp, type StepUp } from '#lib/agents/agent.ts'
import { codeFailure } from '#lib/agents/failure-code.ts'
import type { Turn } from './claim-turn.ts'
import type { Delegation, Reply, TurnResult } from './conversation.ts'
import { settleLateTurn } from './settle-late-turn.ts'
import { abandonTurn, type GrantReceipt, noteFault, settleStepUp, settleTurn } from './settle-turn.ts'

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
  return reply ? replied(turn, reply, outcome.fault) : tooLate(turn)
}

/** What went wrong is for the console: a reply that is stored is not lost with it. */
async function replied(turn: Turn, reply: Reply, fault: unknown): Promise<TurnResult> {
  if (fault !== undefined) await noteFault(turn, codeFailure(fault)).catch(() => {})
  return { kind: 'replied', reply, fault }
}

/** A step-up in which something was done is told at any rate: where it came too late, as the message's reply. */
async function settleStepUpOutcome(turn: Turn, outcome: StepUp, made?: GrantReceipt): Promise<TurnResult> {
  const { actions = [], scopesUsed = [], text, fault } = outcome
  const nothingDone = actions.length === 0
  const settled = settleStepUp(turn, outcome, made)
  const stepUp = await (nothingDone ? settled : settled.catch(() => undefined))
  if (stepUp) return { kind: 'step-up', turn: stepUp, fault }
  if (nothingDone) return tooLate(turn)
  const answer = { reply: text, state: turn.state, close: false, actions, scopesUsed }
  const reply = await settleLateTurn(turn, answer, made)
  return reply ? replied(turn, reply, fault) : tooLate(turn)
}

/** A second attempt, where the first came too late or the database failed it. */
async function settleAtAnyRate(turn: Turn, answer: Answer, made?: GrantReceipt): Promise<Reply | undefined> {
  const reply = await settleTurn(turn, answer, made).catch(() => undefined)
  return reply ?? settleLateTurn(turn, answer, made)
}

async function tooLate(turn: Turn): Promise<TurnResult> {
  await abandonTurn(turn, 'too-late')
  return { kind: 'failed', cause: new Error('the turn settled too late') }
}
