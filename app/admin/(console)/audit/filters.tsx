import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import type { Query } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

type Props = { path: string; query: Query; actions: readonly string[] }

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
            options={[
              { value: '', label: filters.anyAction },
              ...actions.map((action) => ({ value: action, label: makeVisible(action) })),
            ]}
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
