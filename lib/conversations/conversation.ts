/** Whose conversation it is (§4.2): a context belongs to one Brand and one (personal agent, `sub`). */
export type Owner = {
  brandId: string
  personalAgentId: string
  /** The personal agent's `sub`. */
  subject: string
}

/** A User's message, checked and ready for a turn. */
export type IncomingMessage = {
  /** The caller's, unique within the context (§4.1). */
  messageId: string
  /** Absent: the message starts a new conversation (§4.2). */
  contextId: string | undefined
  text: string
}

/** The reply to a message. The same one for every repetition of the message (§4.3). */
export type Reply = { contextId: string; replyId: string; text: string }

/** What became of a message. */
export type TurnResult =
  | { kind: 'replied'; reply: Reply }
  /** No such context for this owner: it may exist for somebody else, which is not told (§4.2). */
  | { kind: 'unknown-context' }
  /** The agent ended the conversation, or it rested too long (§4.2). */
  | { kind: 'closed' }
  /** The message was sent before and has no reply (§4.3). */
  | { kind: 'unanswered' }
  /** Earlier messages of this conversation took too long; nothing was stored, and the message may be sent again. */
  | { kind: 'busy' }
  /** The agent failed, or took too long. The message stays without a reply. */
  | { kind: 'failed'; cause: unknown }
