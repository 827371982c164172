import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import type { Query } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect, type Option } from '#components/ui/native-select.tsx'
import { makeVisible } from '#lib/platform/text.ts'
import { describeAction } from './action-texts.ts'
import { texts } from './texts.ts'

type Props = { path: string; query: Query; actions: readonly string[] }

/** The actions that the log holds, and the one that the address names all the same, in the order of their words. */
function listActions(actions: readonly string[], named: string | undefined): Option[] {
  const all = named === undefined ? actions : new Set([...actions, named])
  return [...all]
    .map((action) => ({ value: action, label: describeAction(action) ?? makeVisible(action) }))
    .sort((one, other) => one.label.localeCompare(other.label, 'en'))
}

/** By whom, what and when the log is filtered. */
export function AuditFilters({ path, query, actions }: Props) {
  const { brand, ...narrowed } = query
  const { filters } = texts
  return (
    <FilterBar path={path} keep={{ brand }} active={Object.values(narrowed).some(Boolean)}>
      <Field name="actor" label={filters.actor} className="w-64">
        {(control) => <Input {...control} defaultValue={query.actor} placeholder={filters.actorHint} />}
      </Field>
      <Field name="action" label={filters.action}>
        {(control) => (
          <NativeSelect
            {...control}
            defaultValue={query.action ?? ''}
            options={[{ value: '', label: filters.anyAction }, ...listActions(actions, query.action)]}
          />
        )}
      </Field>
      <Field name="from" label={filters.from} className="w-40">
        {(control) => <Input {...control} type="date" defaultValue={query.from} />}
      </Field>
      <Field name="until" label={filters.until} className="w-40">
        {(control) => <Input {...control} type="date" defaultValue={query.until} />}
      </Field>
    </FilterBar>
  )
}
