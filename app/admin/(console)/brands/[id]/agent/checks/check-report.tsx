import { Badge } from '#components/ui/badge.tsx'
import type { CheckResult } from '#lib/agents/checks/run-checks.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'
import { TurnReport } from '../turn-report.tsx'

const { checks: text } = texts

/** What came of each check: what was said, and what should not be so. */
export function CheckReport({ results }: { results: readonly CheckResult[] }) {
  return (
    <ul className="divide-y divide-line text-sm">
      {results.map(({ name, passed, user, turns }) => (
        <li key={name} className="space-y-2 py-3">
          <p className="flex flex-wrap items-center gap-3">
            <Badge state={passed ? 'active' : 'danger'}>{passed ? text.passed : text.failed}</Badge>
            <span className="font-medium">{name}</span>
          </p>
          {turns.length === 0 ? <p className="text-faint">{text.noTime}</p> : null}
          <details open={!passed}>
            <summary className="cursor-pointer text-faint">{text.turns}</summary>
            <ol className="space-y-3">
              {turns.map(({ say, turn, faults }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: turns have no name, and never change
                <li key={index} className="space-y-1 pt-2">
                  {faults.map((fault) => (
                    <p key={fault} className="text-danger">
                      {makeVisible(fault)}
                    </p>
                  ))}
                  <TurnReport said={say} turn={turn} user={user} />
                </li>
              ))}
            </ol>
          </details>
        </li>
      ))}
    </ul>
  )
}
