import { Time } from '#components/ui/time.tsx'
import type { GrantChange } from '#lib/delegation/grant-changes.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from '../texts.ts'

const { detail } = texts

function Difference({ label, scopes }: { label: string; scopes: string[] }) {
  if (scopes.length === 0) return null
  return (
    <p>
      <span className="text-faint">{label}: </span>
      {scopes.map(makeVisible).join(', ')}
    </p>
  )
}

/** What happened to a grant, by whom, with the permissions that came and went. */
export function GrantHistory({ changes }: { changes: readonly GrantChange[] }) {
  if (changes.length === 0) return <p className="text-faint">{detail.noHistory}</p>
  return (
    <ol className="space-y-3 border-line border-l-2 pl-4 text-sm">
      {changes.map(({ at, kind, by, actor, scopesBefore, scopesAfter }, index) => {
        const added = scopesAfter.filter((scope) => !scopesBefore.includes(scope))
        const removed = scopesBefore.filter((scope) => !scopesAfter.includes(scope))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have happened in one moment
          <li key={index}>
            <p className="font-medium">
              {detail.change[kind] ?? kind} {detail.by[by] ?? by}
              {actor ? <bdi> ({makeVisible(actor)})</bdi> : null}
            </p>
            <Time className="text-faint text-xs" at={at.toISOString()} />
            <Difference label={detail.added} scopes={added} />
            <Difference label={detail.removed} scopes={removed} />
            {added.length + removed.length === 0 && kind === 'approved' ? <p>{detail.unchanged}</p> : null}
          </li>
        )
      })}
    </ol>
  )
}
