import type { Brand } from '#lib/brands/brand.ts'
import type { Caller } from '#lib/identity/caller.ts'
import { internalError } from './a2a-errors.ts'
import { a2aError, unsupportedOperation } from './answers.ts'
import { eventStream } from './event-stream.ts'
import type { RequestRecord } from './request-record.ts'
import { sendMessage } from './send-message.ts'

/**
 * `POST message:stream` (A2A 1.0), where the Brand's card offers it: `message:send` in every respect, with the answer as a
 * stream's one event. The stream begins when the agent is given the turn, or has answered it at once: what is wrong before
 * that is answered with the same status and envelope as for `message:send`, what goes wrong later is the stream's event. A
 * caller who leaves does not end the turn, and gets its stored reply by sending the message again (§4.3).
 */
export async function streamMessage(
  request: Request,
  caller: Caller,
  brand: Brand,
  record: RequestRecord,
): Promise<Response> {
  if (!brand.streaming) return unsupportedOperation()
  const begun = Promise.withResolvers<undefined>()
  const answer = sendMessage(request, caller, brand, record, () => begun.resolve(undefined))
  const early = await Promise.race([answer, begun.promise])
  if (early && !early.ok) return early
  const last = answer.catch((failure: unknown) => {
    record.failure = failure
    return a2aError(internalError)
  })
  record.turn = last
  return eventStream(last)
}
