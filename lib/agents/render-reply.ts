import { MAX_REPLY_BYTES } from './agent.ts'
import { cutText } from './state.ts'
import type { Render } from './template.ts'

/** A reply, and what went wrong with those that were to come before it. */
export type RenderedReply = { reply: string; fault: unknown }

/**
 * The first of `candidates` that renders, and not blank, without the white space that a template's tags leave around it.
 *
 * @param lastResort not blank; where none does
 */
export function renderReply(
  candidates: readonly (Render | undefined)[],
  variables: Record<string, unknown>,
  lastResort: string,
): RenderedReply {
  let fault: unknown
  for (const render of candidates) {
    if (!render) continue
    try {
      const reply = cutReply(render(variables).trim())
      if (reply !== '') return { reply, fault }
    } catch (error) {
      fault ??= error
    }
  }
  return { reply: lastResort, fault: fault ?? new Error('No reply renders any text') }
}

/** A text as a reply that can be stored and sent, however long it was. */
export function cutReply(text: string): string {
  const reply = cutText(text, MAX_REPLY_BYTES)
  const size = Buffer.byteLength(reply)
  if (size <= MAX_REPLY_BYTES) return reply
  return new TextDecoder().decode(Buffer.from(reply).subarray(0, MAX_REPLY_BYTES)).replace(/\uFFFD$/, '')
}
