import { type Rehearsal, type RehearsedPast, type RehearsedTurn, rehearseTurn } from '../rehearsal.ts'
import { judgeTurn } from './judge-turn.ts'
import type { Check } from './schema.ts'
import { standInApi } from './stand-in.ts'

/** How many checks run at once: a model takes its time over each. */
const AT_ONCE = 4
/** How long all of a Brand's checks may take, in milliseconds: no turn is begun after that. */
const TIME_LIMIT = 180_000

/** A turn of a check: what was said, what came of it, and what should not be so. */
export type JudgedTurn = { say: string; turn: RehearsedTurn; faults: readonly string[] }

export type CheckResult = {
  name: string
  passed: boolean
  /** As whom its turns ran; undefined: they had no delegation token, or there was no time to run it. */
  user: { id: string } | undefined
  /** Empty where there was no time to run it. */
  turns: readonly JudgedTurn[]
}

/** Whose checks are run, and against which agent. */
export type Checked = Pick<Rehearsal, 'agent' | 'brandId' | 'secret'>

/** Why a check ends before its last turn, though the turn before that did not fail; undefined: it goes on. */
function findEnd({ close }: RehearsedTurn, endsAt: number): string | undefined {
  if (close) return 'the conversation ended before the check did'
  return performance.now() > endsAt ? 'there was no time for the rest of the check' : undefined
}

/** What was said until the next turn. One that ends in step-up is no part of the conversation: it would run again (§5.5). */
function goOn(
  past: RehearsedPast,
  text: string,
  { reply, missingScopes, state }: RehearsedTurn,
): RehearsedPast {
  const said = missingScopes.length > 0 || reply === undefined ? [] : [{ text, reply }]
  return { turns: [...past.turns, ...said], state }
}

async function runCheck(checked: Checked, check: Check, endsAt: number): Promise<CheckResult> {
  const { name, scopes, answers } = check
  const user = scopes && { id: 'check-user', scopes: new Set(scopes) }
  const rehearsal = { ...checked, user, callApi: standInApi(answers) }
  const answered = new Set(Object.keys(answers))
  const turns: JudgedTurn[] = []
  let past: RehearsedPast = { turns: [], state: {} }
  for (const [index, wanted] of check.turns.entries()) {
    const turn = await rehearseTurn(rehearsal, past, wanted.say)
    const end = index < check.turns.length - 1 ? findEnd(turn, endsAt) : undefined
    const faults = judgeTurn(wanted, turn, answered)
    turns.push({ say: wanted.say, turn, faults: end === undefined ? faults : [...faults, end] })
    if (turn.reply === undefined || end !== undefined) break
    past = goOn(past, wanted.say, turn)
  }
  const passed = turns.length === check.turns.length && turns.every(({ faults }) => faults.length === 0)
  return { name, passed, user: user && { id: user.id }, turns }
}

/**
 * Runs a Brand's checks against an agent. Its tools call nobody: the checks say what the Brand's API answers. A model is asked
 * as in a conversation, and the Brand's own bot as one that is tried: what that does by itself is its own affair.
 *
 * @returns what came of each, in their order
 */
export async function runChecks(checked: Checked, checks: readonly Check[]): Promise<CheckResult[]> {
  const endsAt = performance.now() + TIME_LIMIT
  const results: CheckResult[] = checks.map(({ name }) => ({
    name,
    passed: false,
    user: undefined,
    turns: [],
  }))
  const waiting = checks.entries()
  const work = async () => {
    for (const [index, check] of waiting) {
      if (performance.now() > endsAt) return
      results[index] = await runCheck(checked, check, endsAt)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}
