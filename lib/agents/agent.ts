/** What an agent remembers between the turns of one conversation: at most 32 values, strings of at most 1,000 characters. */
export type AgentState = Readonly<Record<string, string | number | boolean>>

/** One turn, as an agent sees it. */
export type Turn = {
  /** What the User said: the message's text parts, joined by line breaks. */
  text: string
  /** What the agent remembered at the end of the conversation's last turn; empty at the first. */
  state: AgentState
  /** Fires when the turn's time is over: whatever the agent does then is discarded. */
  signal: AbortSignal
}

/** How long a reply may be, in bytes of UTF-8. */
export const MAX_REPLY_BYTES = 32_768

/** What an agent makes of a turn. */
export type TurnOutcome = {
  /** Not blank, storable, at most `MAX_REPLY_BYTES`. */
  reply: string
  state: AgentState
  /** The conversation ends with this reply (§4.2). */
  close: boolean
}

/** A Brand's agent, ready to run turns. A rejected promise is a failure of the agent: the caller gets `INTERNAL`. */
export type Agent = {
  /** How long a turn may take, in milliseconds. */
  timeLimit: number
  run(turn: Turn): Promise<TurnOutcome>
}
