import type { JWK } from 'jose'

/** What is sent under §3: first messages, messages of conversations that go on, or conversations of five messages. */
export type IdentityKind = 'new' | 'continued' | 'mixed'

/**
 * What is sent under §5: messages with a delegation token whose turn makes a call, in conversations that go on; requests
 * for a device code; polls of codes that nobody has approved; polls of approved ones; refreshes.
 */
export type DelegationKind = 'delegated' | 'authorize' | 'poll' | 'issue' | 'refresh'

export type Kind = IdentityKind | DelegationKind

/**
 * The personal agent that the driver plays, and how many Users and tokens it has.
 *
 * `delegationTokens`: of the Users in their order; empty where nothing of §5 is measured
 */
export type Cast = {
  issuer: string
  privateJwk: JWK
  audience: string
  subjects: number
  tokens: number
  delegationTokens: readonly string[]
}

/**
 * What to send: for `settle` seconds without counting, then for some seconds or messages. Loads of the same kind on the
 * same port go on with each other's conversations.
 *
 * `stock`: whose codes and refresh tokens are used up; `records` false: its latencies are forgotten
 */
export type Load = {
  port: number
  path: string
  kind: Kind
  stock: string
  connections: number
  settle: number
  until: { seconds: number } | { messages: number }
  records: boolean
}

/**
 * What the driver saw. `messages`: the requests that count; `sent`: all of this load; `slowed`: how many of those were
 * polls that came too early (RFC 8628 §3.5). The percentiles, in milliseconds, are of all
 * that was recorded on this port and kind so far; `driverCpu` in microseconds a message.
 */
export type Measured = {
  messages: number
  sent: number
  slowed: number
  seconds: number
  p50: number
  p99: number
  driverCpu: number
}

export type DriverCommand = { command: 'cast'; cast: Cast } | { command: 'load'; load: Load }
export type DriverAnswer = { measured?: Measured; failure?: string }

/** What a server has used: memory in bytes (`peak`: the most so far), processor time in microseconds. */
export type Usage = { rss: number; peak: number; cpu: number }

export type ServerCommand = 'usage' | 'stop'
export type ServerAnswer = { port: number } | { usage: Usage }

/** How many messages a conversation of kind `mixed` has. */
export const MIXED_TURNS = 5
