import { Badge, type BadgeState } from '#components/ui/badge.tsx'
import { makeVisible } from '#lib/platform/text.ts'
import { FieldChanges } from '../../../audit/[id]/difference.tsx'
import { type AgentDifference, compareAgents, type EntryChange, type ListChange } from './compare-agents.ts'
import { toYaml } from './rule-row-values.ts'
import { texts } from './texts.ts'
import { Value } from './turn-report.tsx'

const { difference: text } = texts
const kinds = ['added', 'removed', 'changed'] as const
const states = { added: 'active', removed: 'danger', changed: 'info' } as const satisfies Record<
  EntryChange['kind'],
  BadgeState
>

function summarizeList({ list, entries, reordered }: ListChange): string[] {
  const counted = kinds.flatMap((kind) => {
    const count = entries.filter((entry) => entry.kind === kind).length
    return count === 0 ? [] : [text.count(count, text.nouns[list], text.kinds[kind])]
  })
  return reordered ? [...counted, text.reordered(text.nouns[list])] : counted
}

/** In one line, how much is otherwise. */
function summarize({ lists, settings }: AgentDifference): string {
  const parts = lists.flatMap(summarizeList)
  const changed = settings.length === 0 ? [] : [text.count(settings.length, text.setting, text.kinds.changed)]
  return [...parts, ...changed].join(', ')
}

function Entry({ noun, entry }: { noun: string; entry: EntryChange }) {
  const title = text.entry(noun, makeVisible(entry.title))
  return (
    <li className="space-y-2 py-3">
      <p className="flex flex-wrap items-center gap-3 text-sm">
        <Badge state={states[entry.kind]}>{text.kinds[entry.kind]}</Badge>
        <span className="break-all font-medium">{title}</span>
      </p>
      {entry.kind === 'changed' ? (
        <FieldChanges label={text.changesOf(title)} fields={entry.fields} />
      ) : (
        <Value label={text.whole} value={toYaml(entry.value)} />
      )}
    </li>
  )
}

/** How two versions of an agent differ: only what does, each thing by its name. */
export function DifferenceOfAgents({ before, after }: { before: unknown; after: unknown }) {
  const difference = compareAgents(before, after)
  const { lists, settings } = difference
  if (lists.length === 0 && settings.length === 0) return <p className="text-faint text-sm">{text.none}</p>
  return (
    <div className="space-y-4">
      <p className="font-medium">{summarize(difference)}</p>
      {settings.length > 0 ? <FieldChanges label={text.settings} fields={settings} /> : null}
      {lists
        .filter(({ entries }) => entries.length > 0)
        .map(({ list, entries }) => (
          <ul key={list} aria-label={text.list(text.nouns[list])} className="divide-y divide-line">
            {entries.map((entry) => (
              <Entry key={`${entry.kind} ${entry.title}`} noun={text.nouns[list]} entry={entry} />
            ))}
          </ul>
        ))}
    </div>
  )
}
