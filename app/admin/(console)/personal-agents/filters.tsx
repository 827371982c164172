import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import type { Query } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { texts } from './texts.ts'

const { filters, origins } = texts
const any = { value: '', label: filters.any }
const states = [any, { value: 'enabled', label: texts.enabled }, { value: 'disabled', label: texts.disabled }]
const origin = [
  any,
  { value: 'registered', label: origins.registered },
  { value: 'discovered', label: origins.discovered },
]
const keys = [any, { value: 'failing', label: filters.failing }]

/** What the list is narrowed by, as the address says it. */
export function AgentFilters({ path, query }: { path: string; query: Query }) {
  const { brand, sort, ...filtered } = query
  return (
    <FilterBar path={path} keep={{ brand, sort }} active={Object.values(filtered).some(Boolean)}>
      <Field name="q" label={filters.words} className="w-full sm:w-60">
        {(control) => (
          <Input {...control} type="search" defaultValue={query.q} placeholder={filters.wordsHint} />
        )}
      </Field>
      <Field name="state" label={filters.state} className="w-full sm:w-32">
        {(control) => <NativeSelect {...control} options={states} defaultValue={query.state ?? ''} />}
      </Field>
      <Field name="origin" label={filters.origin} className="w-full sm:w-36">
        {(control) => <NativeSelect {...control} options={origin} defaultValue={query.origin ?? ''} />}
      </Field>
      <Field name="keys" label={filters.keys} className="w-full sm:w-32">
        {(control) => <NativeSelect {...control} options={keys} defaultValue={query.keys ?? ''} />}
      </Field>
    </FilterBar>
  )
}
