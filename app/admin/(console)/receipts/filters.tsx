import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import type { Query } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { texts } from './texts.ts'

type Props = { path: string; query: Query }

const { filters } = texts
const words = [
  { name: 'agent', label: filters.agent, hint: filters.agentHint },
  { name: 'user', label: filters.user, hint: filters.userHint },
  { name: 'scope', label: filters.scope, hint: filters.scopeHint },
  { name: 'tool', label: filters.tool, hint: filters.toolHint },
]
const days = [
  { name: 'from', label: filters.from },
  { name: 'until', label: filters.until },
]

/** What the list is narrowed by, as the address says it. */
export function ReceiptFilters({ path, query }: Props) {
  const { brand, grant, ...filtered } = query
  const active = grant !== undefined || Object.values(filtered).some(Boolean)
  return (
    <FilterBar path={path} keep={{ brand }} active={active}>
      {grant ? <input type="hidden" name="grant" value={grant} /> : null}
      {words.map(({ name, label, hint }) => (
        <Field key={name} name={name} label={label} className="w-full sm:w-38">
          {(control) => <Input {...control} defaultValue={query[name]} placeholder={hint} />}
        </Field>
      ))}
      {days.map(({ name, label }) => (
        <Field key={name} name={name} label={label} className="w-full sm:w-38">
          {(control) => <Input {...control} type="date" defaultValue={query[name]} />}
        </Field>
      ))}
    </FilterBar>
  )
}
