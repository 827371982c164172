import { refusalReasons } from './caller.ts'

/**
 * Why a request is refused: for its credentials (401; `delegation_token`: the second of them, §5.5), or because it comes too
 * soon (429).
 */
export const countedReasons = [...refusalReasons, 'delegation_token', 'rate_limited'] as const

export type CountedReason = (typeof countedReasons)[number]

/** Why a request was refused, and what is known of it. Neither the token nor the User is. */
export type Refusal = {
  reason: CountedReason
  /** Absent where none was recognised. */
  personalAgentId?: string | undefined
  /** What the token says, unproven; at most 2048 characters that the database can hold. */
  issuer?: string | undefined
  /** The Brand that was called; it need not exist. */
  brandId?: string | undefined
}

/** Refusals that are alike; an empty text stands for what is not known. `at`: the last one, in ms since 1970. */
export type CountedRefusals = Record<'personalAgentId' | 'issuer' | 'brandId', string> & {
  reason: CountedReason
  count: number
  at: number
}
