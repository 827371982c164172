import { type Answer, isStepUp, type StepUp } from '#lib/agents/agent.ts'
import { codeFailure } from '#lib/agents/failure-code.ts'
import type { Receipt, ReceiptClaims } from '#lib/delegation/receipts.ts'
import type { Turn } from './claim-turn.ts'
import type { Delegation, Replied, Reply, TurnResult } from './conversation.ts'
import { settleLateTurn } from './settle-late-turn.ts'
import {
  abandonTurn,
  type GrantReceipt,
  noteFault,
  releaseTurn,
  settleStepUp,
  settleTurn,
} from './settle-turn.ts'
import { settleUnsignedTurn } from './settle-unsigned-turn.ts'

/**
 * Stores what became of a turn, with its receipt where it ran under a delegation token (§5.6). A turn that sent calls is
 * stored even when its time was over, or its receipt can't be signed, so that its message has the answer that a retry asks
 * for (§4.3).
 */
export async function settleOutcome(
  turn: Turn,
  outcome: Answer | StepUp,
  delegation: Delegation | undefined,
): Promise<TurnResult> {
  if (!delegation) return settleMade(turn, outcome)
  const { actions = [], scopesUsed = [] } = outcome
  const claims = delegation.buildClaims({ actions, scopesUsed })
  let receipt: Receipt
  try {
    receipt = await delegation.signReceipt(claims)
  } catch (cause) {
    await settleUnsigned(turn, outcome, claims)
    return { kind: 'failed', cause }
  }
  return settleMade(turn, outcome, { grantId: delegation.grantId, receipt })
}

async function settleMade(turn: Turn, outcome: Answer | StepUp, made?: GrantReceipt): Promise<TurnResult> {
  if (isStepUp(outcome)) return settleStepUpOutcome(turn, outcome, made)
  const settle = outcome.actions.length > 0 ? settleAtAnyRate : settleTurn
  const reply = await settle(turn, outcome, made)
  return reply ? replied(turn, reply, outcome.fault) : tooLate(turn)
}

/** What went wrong is for the console: a reply that is stored is not lost with it. */
export async function replied(
  turn: Pick<Turn, 'brandId' | 'messageRow'>,
  reply: Reply,
  fault: unknown,
): Promise<Replied> {
  if (fault !== undefined) await noteFault(turn, codeFailure(fault)).catch(() => {})
  return { kind: 'replied', reply, fault }
}

/** A step-up in which something was done is told at any rate: where it came too late, as the message's reply. */
async function settleStepUpOutcome(turn: Turn, outcome: StepUp, made?: GrantReceipt): Promise<TurnResult> {
  const { fault } = outcome
  const settled = settleStepUp(turn, outcome, made)
  const stepUp = await (hasActed(outcome) ? settled.catch(() => undefined) : settled)
  if (stepUp) return { kind: 'step-up', turn: stepUp, fault }
  if (!hasActed(outcome)) return tooLate(turn)
  const reply = await settleLateTurn(turn, toAnswer(turn, outcome), made)
  return reply ? replied(turn, reply, fault) : tooLate(turn)
}

/**
 * A reply without its receipt is nobody's to have yet, but what was done is on record. The message of a step-up in which
 * nothing was done may be sent again.
 */
async function settleUnsigned(turn: Turn, outcome: Answer | StepUp, claims: ReceiptClaims): Promise<void> {
  if (!isStepUp(outcome)) return settleUnsignedTurn(turn, outcome, claims)
  if (!hasActed(outcome)) return releaseTurn(turn)
  await settleUnsignedTurn(turn, toAnswer(turn, outcome), claims)
}

function hasActed({ actions = [] }: StepUp): boolean {
  return actions.length > 0
}

/** A step-up as the reply to its message. */
function toAnswer({ state }: Turn, { text, actions = [], scopesUsed = [] }: StepUp): Answer {
  return { reply: text, state, close: false, actions, scopesUsed }
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
