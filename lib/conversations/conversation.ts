import type { Access, Action } from '#lib/agents/agent.ts'
import type { Receipt, ReceiptClaims } from '#lib/delegation/receipts.ts'

/** Whose conversation it is (§4.2): a context belongs to one Brand and one (personal agent, `sub`). */
export type Owner = {
  brandId: string
  personalAgentId: string
  /** The personal agent's `sub`. */
  subject: string
}

/** Only what can have been minted here names a context: compared as it is, in lower case. */
export const CONTEXT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A User's message, checked and ready for a turn. */
export type IncomingMessage = {
  /** The caller's, unique within the context (§4.1). */
  messageId: string
  /** Absent: the message starts a new conversation (§4.2). */
  contextId: string | undefined
  text: string
}

/** What was done in a turn. */
export type Done = { actions: readonly Action[]; scopesUsed: readonly string[] }

/** Under which grant a turn runs (§5.5). */
export type Delegation = {
  grantId: string
  access: Access
  /** What the receipt of a turn that ends now says (§5.6). */
  buildClaims(done: Done): ReceiptClaims
  /** Signs it; it is stored with the turn. */
  signReceipt(claims: ReceiptClaims): Promise<Receipt>
}

/** The reply to a message. The same one for every repetition of the message (§4.3), with the same receipt. */
export type Reply = {
  contextId: string
  replyId: string
  text: string
  /** §5.6: of a reply that was made under a delegation token. */
  receipt: Receipt | undefined
}

/** A turn that needs scopes it lacks (§5.5). Its receipt alone is stored: the message may be sent again. */
export type StepUpTurn = {
  contextId: string
  missingScopes: readonly string[]
  text: string
  receipt: Receipt | undefined
}

/** A message that has its reply. */
export type Replied = {
  kind: 'replied'
  reply: Reply
  /** For the log: what went wrong, though there is a reply. */
  fault?: unknown
}

/** What became of a message. */
export type TurnResult =
  | Replied
  | { kind: 'step-up'; turn: StepUpTurn; fault?: unknown }
  /** No such context for this owner: it may exist for somebody else, which is not told (§4.2). */
  | { kind: 'unknown-context' }
  /** The context has run as another Brand user than the token's (§5.5). */
  | { kind: 'other-user' }
  /** The delegation token stopped to count before anything was done (§5.5). The message may be sent again. */
  | { kind: 'token-ended' }
  /** The agent ended the conversation, or it rested too long (§4.2). */
  | { kind: 'closed' }
  /** The message was sent before and has no reply (§4.3). */
  | { kind: 'unanswered' }
  /** Earlier messages of this conversation took too long; nothing was stored, and the message may be sent again. */
  | { kind: 'busy' }
  /**
   * The agent failed, or took too long: the message stays without a reply. Or the reply is stored and its receipt could not
   * be signed: a repetition of the message asks for both again.
   */
  | { kind: 'failed'; cause: unknown }
