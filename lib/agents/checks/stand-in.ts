import type { ApiCaller } from '../tools/call-api.ts'
import type { StandIn } from './schema.ts'

const NO_ANSWER = 'no answer is given for it: give one in “What the Brand’s API answers”'

/**
 * Answers in the place of a Brand's API, which hears nothing of it. A tool without an answer is refused, as one whose call
 * reached nobody.
 *
 * @param answers by tool
 */
export function standInApi(answers: Readonly<Record<string, StandIn>>): ApiCaller {
  return async ({ name }) => {
    const answer = Object.hasOwn(answers, name) ? answers[name] : undefined
    if (answer) return { ok: true, status: answer.status, value: answer.body }
    return { ok: false, reason: NO_ANSWER, status: undefined, sent: false }
  }
}
