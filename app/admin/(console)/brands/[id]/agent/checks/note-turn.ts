import { checkedTurnOf } from '#lib/agents/checks/checked-turn-of.ts'
import type { StandIn } from '#lib/agents/checks/schema.ts'
import type { RehearsedTurn } from '#lib/agents/rehearsal.ts'
import { toYaml } from '../rule-row-values.ts'
import { showScopes } from './check-row.ts'
import type { NotedTurn } from './tried-check.ts'

/** What a check answers where nobody said what the Brand's API does: it refuses, as it did when it was tried. */
const REFUSAL: StandIn = { status: 503 }

type Tried = {
  text: string
  user?: { id: string; scopes: readonly string[] } | undefined
  answers: Readonly<Record<string, StandIn>>
}

/** Notes a turn that was tried in the words of a check's fields, with what the Brand's API answered to each tool's calls. */
export function noteTurn({ text, user, answers }: Tried, turn: RehearsedTurn): NotedTurn {
  const called = [...new Set(turn.calls.map(({ tool }) => tool))]
  const isAnswered = (tool: string) => Object.hasOwn(answers, tool)
  return {
    say: text,
    turn: toYaml([checkedTurnOf(text, turn, user)]),
    scopes: showScopes(user?.scopes),
    answers: called.map((tool) => ({
      tool,
      answer: toYaml({ [tool]: isAnswered(tool) ? answers[tool] : REFUSAL }),
    })),
    unanswered: called.filter((tool) => !isAnswered(tool)),
    closes: turn.close,
  }
}
