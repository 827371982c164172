import type { ApiCaller } from './tools/call-api.ts'

/** What an agent remembers between the turns of one conversation: at most 32 values, strings of at most 1,000 characters. */
export type AgentState = Readonly<Record<string, string | number | boolean>>

/** As whom an agent may act in a turn under a delegation token (§5.5). */
export type Access = {
  /** The User's id at the Brand (§5.4 `sub`). */
  brandUserId: string
  /** What the token allows, as far as the grant and the Brand still do. */
  scopes: ReadonlySet<string>
  /** The delegation token itself, for the Brand's API. */
  token: string
  /**
   * Looks again, unless it was looked just before: much may have been taken back since the turn began. It is asked before
   * whatever is done under the token.
   *
   * @returns what the token allows at this moment; undefined: it counts no more
   */
  scopesNow(): Promise<ReadonlySet<string> | undefined>
}

/** A call that the Brand's API was sent (§5.6). */
export type Action = {
  tool: string
  /** Base64url SHA-256 of the arguments in RFC 8785 form; absent where there were none. */
  argsHash?: string
}

/**
 * A call that changes something, in a run of a message that ended in step-up. `done`: it was, or may have been. `refused`:
 * the Brand's API did nothing. `held`: it did not go out, since a permission was missing.
 */
export type EarlierCall = Action &
  (
    | {
        became: 'done' | 'refused'
        /** The number that told it from others with the very same arguments. */
        nth: number
      }
    | { became: 'held' }
  )

/** A call that the Brand's API may have seen, made here or, as it says, by the Brand's own bot. */
export type SentCall = {
  action: Action
  /** The scopes under which it was made, if any: one, unless it was made elsewhere. */
  scopes: readonly string[]
  /** Whether it may have changed something at the Brand. */
  changes: boolean
}

/** The calls of a turn, in their order. Each made here is in it before it goes out, so that nothing is missing whatever ends the turn. */
export type SentCalls = Set<SentCall>

/** Who sent the message: the User as PACT knows it, the pair (personal agent, `sub`) (§3.2). */
export type TurnCaller = {
  /** The personal agent's issuer. */
  issuer: string
  /** The personal agent's name, as the Provider knows it. */
  name: string
  /** The personal agent's `sub`. */
  subject: string
}

/** How many turns are read back at most: agents read the latest, and a conversation may be of any length. */
export const MAX_PAST_TURNS = 200

/** A turn of the conversation that is over, and had a reply. */
export type PastTurn = {
  /** What the User said. */
  text: string
  reply: string
}

/** What a turn has used so far, whatever becomes of it. Agents add to it. Times in milliseconds, summed. */
export type TurnUsage = {
  /** How often a model was asked. */
  modelCalls: number
  /** How often it gave nothing that could be used. */
  failedModelCalls: number
  modelTime: number
  /** Tokens that models read, and wrote, as their endpoints count them. */
  inputTokens: number
  outputTokens: number
  /** Calls of the Brand's API. */
  toolCalls: number
  /** Those that it could not be reached for, did not answer in time, or answered with an error. */
  failedToolCalls: number
  toolTime: number
}

/** One thing that an agent did in a turn, for whoever tries it. It holds what was said: it is not for logs. */
export type TraceStep = {
  /** In milliseconds. */
  time: number
} & (
  | {
      kind: 'rule'
      /** Of the rule that applied, from 1; undefined: none did. */
      number: number | undefined
      fault?: string
    }
  | {
      kind: 'model'
      model: string
      /** What it said, and what it wanted to call. */
      text: string
      calls: readonly { tool: string; arguments: unknown }[]
      inputTokens: number
      outputTokens: number
      /** Why it gave nothing. */
      fault?: string
    }
  | {
      kind: 'bot'
      url: string
      /** What it was posted, without the delegation token. */
      call: unknown
      /** What it answered; undefined where that could not be used. */
      answer: unknown
      /** Why it could not. */
      fault?: string
    }
  | {
      kind: 'tool'
      tool: string
      /** As they were sent, else as the agent wanted them. */
      arguments: unknown
      /** What the Brand's API answered; undefined where it was not asked. */
      answer: unknown
      /** Why it was not called, or failed. */
      fault?: string
    }
)

/** What a turn is about, before it runs. */
export type TurnRequest = {
  brandId: string
  /** What the User said: the message's text parts, joined by line breaks. */
  text: string
  /** What the agent remembered at the end of the conversation's last turn; empty at the first. */
  state: AgentState
  contextId: string
  /** The caller's, unique within the context. A step-up turn is run again under the same one. */
  messageId: string
  /** Undefined: the turn runs under §3, as nobody at the Brand. */
  access: Access | undefined
  /** Only agents that want to know pay for it. It rejects when the database fails. */
  caller(): Promise<TurnCaller>
  /**
   * The conversation's earlier turns, oldest first; only agents that want them pay for them. Turns without a reply and
   * texts that the Brand has deleted since are left out. It rejects when the database fails.
   *
   * @param maxBytes of the latest turns, {@link MAX_PAST_TURNS} at most, as many as have this much text together, in bytes of UTF-8
   */
  history(maxBytes: number): Promise<readonly PastTurn[]>
  /**
   * What earlier runs of the same message left as `forNextRun`, in their order; only agents that may do something else this
   * time ask. It rejects when the database fails.
   */
  earlierCalls(): Promise<readonly EarlierCall[]>
  /**
   * A secret of the Brand's agent, such as the key of a model's endpoint; undefined where there is none for this origin. It
   * rejects when it can't be read.
   *
   * @param url where it is to be sent
   */
  secret(name: string, url: string): Promise<string | undefined>
  /** Filled while the turn runs. */
  usage: TurnUsage
  /** Somebody tries the agent: the User is made up, and nobody has allowed what `access` says. */
  rehearsed?: true
  /** Told each step, where somebody tries the agent. */
  trace?: (step: TraceStep) => void
  /** What answers the calls of tools where somebody tries the agent; left out: the Brand's API. */
  callApi?: ApiCaller
}

/** One turn, as an agent sees it. */
export type Turn = TurnRequest & {
  /** Fires when the turn's time is over: whatever the agent does then is discarded. */
  signal: AbortSignal
  /** When the turn's time is over, by `performance.now()`. */
  endsAt: number
  /** Where the agent notes each call of the Brand's API before it goes out. */
  sent: SentCalls
}

/** The usage of a turn that has not begun. */
export function noUsage(): TurnUsage {
  return {
    modelCalls: 0,
    failedModelCalls: 0,
    modelTime: 0,
    inputTokens: 0,
    outputTokens: 0,
    toolCalls: 0,
    failedToolCalls: 0,
    toolTime: 0,
  }
}

/** How long what a User says may be, in bytes of UTF-8. */
export const MAX_TEXT_BYTES = 32_768

/** How long a reply may be, in bytes of UTF-8. */
export const MAX_REPLY_BYTES = 32_768

/** A reply, and what was done for it. */
export type Answer = {
  /** Not blank, storable, at most `MAX_REPLY_BYTES`. */
  reply: string
  state: AgentState
  /** The conversation ends with this reply (§4.2). */
  close: boolean
  /** In the order in which they ran. */
  actions: readonly Action[]
  scopesUsed: readonly string[]
  /** For the log: what went wrong, though there is an answer. */
  fault?: unknown
}

/**
 * §5.5: the turn needs scopes that `access` lacks. The state stays as it was, and the same message runs again once they are
 * there: whatever was done until then must not be done twice.
 */
export type StepUp = {
  /** At least one. */
  missingScopes: readonly string[]
  /** What the User is told; as a reply. */
  text: string
  /** What was done before, in the order in which it ran; left out: nothing. */
  actions?: readonly Action[]
  scopesUsed?: readonly string[]
  /** What the message's next run must know of this one; left out: nothing. */
  forNextRun?: readonly EarlierCall[]
  /** For the log: what went wrong besides. */
  fault?: unknown
}

/** §5.5: the token stopped to count before anything was done. Nothing has been done, and the state stays as it was. */
export type TokenEnded = { tokenEnded: true }

/** What an agent makes of a turn. */
export type TurnOutcome = Answer | StepUp | TokenEnded

/**
 * A Brand's agent, ready to run turns. A rejected promise is a failure of the agent: the caller gets `INTERNAL`, or where
 * calls were sent, a reply that says so.
 */
export type Agent = {
  /** How long a turn may take, in milliseconds. */
  timeLimit: number
  run(turn: Turn): Promise<TurnOutcome>
  /**
   * The answer of a turn that comes of what was said and what is remembered alone, the same that {@link Agent.run} would
   * give. Nothing is done for it and nobody is waited for: it may be thrown away.
   *
   * @returns undefined where the turn has to run
   */
  answerAtOnce?(said: Pick<Turn, 'text' | 'state'>): Answer | undefined
}

/** True when a turn ended in step-up (§5.5). */
export function isStepUp(outcome: TurnOutcome): outcome is StepUp {
  return 'missingScopes' in outcome
}

/** True when a turn did nothing, because its token counted no more (§5.5). */
export function isTokenEnded(outcome: TurnOutcome): outcome is TokenEnded {
  return 'tokenEnded' in outcome
}
