import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import type { Query } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { grantStates } from '#lib/delegation/grant-list-schema.ts'
import { texts } from './texts.ts'

type Props = { path: string; query: Query }

const { filters } = texts
const states = [
  { value: '', label: filters.anyState },
  ...grantStates.map((value) => ({ value, label: texts.states[value] })),
]

/** What the list is narrowed by, as the address says it. */
export function GrantFilters({ path, query }: Props) {
  const { brand, ...filtered } = query
  return (
    <FilterBar path={path} keep={{ brand }} active={Object.values(filtered).some(Boolean)}>
      <Field name="agent" label={filters.agent} className="w-full sm:w-44">
        {(control) => <Input {...control} defaultValue={query.agent} placeholder={filters.agentHint} />}
      </Field>
      <Field name="user" label={filters.user} className="w-full sm:w-52">
        {(control) => <Input {...control} defaultValue={query.user} placeholder={filters.userHint} />}
      </Field>
      <Field name="scope" label={filters.scope} className="w-full sm:w-44">
        {(control) => <Input {...control} defaultValue={query.scope} placeholder={filters.scopeHint} />}
      </Field>
      <Field name="state" label={filters.state} className="w-full sm:w-32">
        {(control) => <NativeSelect {...control} options={states} defaultValue={query.state ?? ''} />}
      </Field>
    </FilterBar>
  )
}
