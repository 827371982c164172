import { randomUUID } from 'node:crypto'
import { log } from '#lib/platform/log.ts'

/** What is known of a request when it has been answered in full: one line in the log. No token, text or `sub` is in it. */
export type RequestRecord = {
  readonly requestId: string
  readonly startedAt: number
  operation?: string
  /** Only of a Brand that exists: anything else is a stranger's text. */
  brandId?: string
  personalAgentId?: string
  /** Why it was refused; never told to the caller. */
  reason?: string
  /** What went wrong inside. */
  failure?: unknown
  /** Of a turn that outlives the answer's beginning: the request's line waits for it. It never rejects. */
  turn?: Promise<unknown>
}

/** A record for a request that has just come in. */
export function openRecord(): RequestRecord {
  return { requestId: randomUUID(), startedAt: performance.now() }
}

/** What an operator may see of an error: its kind and message, not its stack. */
function describe(failure: unknown) {
  if (!(failure instanceof Error)) return { type: typeof failure }
  const cause = failure.cause instanceof Error ? failure.cause.message : undefined
  return { type: failure.name, message: failure.message, ...(cause === undefined ? {} : { cause }) }
}

/** Writes the request's line. */
export function closeRecord(record: RequestRecord, method: string, status: number): void {
  const { startedAt, failure, turn: _, ...facts } = record
  const line = { ...facts, method, status, ms: Math.round((performance.now() - startedAt) * 100) / 100 }
  if (failure === undefined) log().info(line, 'request')
  else log().error({ ...line, failure: describe(failure) }, 'request failed')
}
