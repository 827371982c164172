import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { countedReasons } from '#lib/identity/refusal.ts'
import type { RefusalQuery } from './query.ts'
import { textOfReason } from './reason-texts.ts'
import { texts } from './texts.ts'

const hours = Object.entries(texts.hours).map(([value, label]) => ({ value, label }))
const reasons = [
  { value: '', label: texts.filters.anyReason },
  ...countedReasons.map((value) => ({ value, label: textOfReason(value).title })),
]

/** What the lists are narrowed by, as the address says it. */
export function RefusalFilters({ query }: { query: RefusalQuery }) {
  const { agent, reason } = query
  return (
    <FilterBar path="/admin/refusals" keep={agent ? { agent } : {}} active={Boolean(reason ?? agent)}>
      <Field name="hours" label={texts.filters.hours}>
        {(control) => <NativeSelect {...control} options={hours} defaultValue={query.hours} />}
      </Field>
      <Field name="reason" label={texts.filters.reason}>
        {(control) => <NativeSelect {...control} options={reasons} defaultValue={reason ?? ''} />}
      </Field>
    </FilterBar>
  )
}
