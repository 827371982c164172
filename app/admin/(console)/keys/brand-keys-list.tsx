import Link from 'next/link'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import { Input } from '#components/ui/input.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { KeyBrandsQuery } from '#lib/keys/brand-list-schema.ts'
import type { BrandKeyStates, BrandKeysPage } from '#lib/keys/list-brand-keys.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

const PATH = '/admin/keys'
const { list } = texts

function Since({ at, words, none }: { at: Date | null; words: string; none: string }) {
  if (!at) return <span className="text-faint">{none}</span>
  return (
    <span>
      {words} <RelativeTime at={at.toISOString()} />
    </span>
  )
}

const columns: Column<BrandKeyStates>[] = [
  { id: 'brand', header: list.columns.brand, cell: ({ name }) => <bdi>{makeVisible(name)}</bdi> },
  {
    id: 'active',
    header: list.columns.active,
    cell: ({ activeSince }) => <Since at={activeSince} words={list.signsSince} none={list.none} />,
  },
  {
    id: 'next',
    header: list.columns.next,
    cell: ({ nextSince }) => <Since at={nextSince} words={list.publishedSince} none={list.noNext} />,
  },
  { id: 'retired', header: list.columns.retired, align: 'end', cell: ({ retired }) => retired },
  {
    id: 'compromised',
    header: list.columns.compromised,
    align: 'end',
    cell: ({ compromised }) =>
      compromised > 0 ? <span className="font-medium text-danger">{compromised}</span> : compromised,
  },
  {
    id: 'schedule',
    header: list.columns.schedule,
    cell: ({ rotateEveryDays }) => (rotateEveryDays === null ? list.byHand : texts.every(rotateEveryDays)),
  },
]

function Empty({ filtered }: { filtered: boolean }) {
  const { title, body, action } = filtered ? list.nothingFound : list.empty
  return (
    <EmptyState
      title={title}
      action={
        <Button asChild>
          <Link href={filtered ? PATH : '/admin/brands'}>{action}</Link>
        </Button>
      }
    >
      {body}
    </EmptyState>
  )
}

/** Every Brand for which something is signed, and how its keys stand. */
export function BrandKeysList({ page, query: { q } }: { page: BrandKeysPage; query: KeyBrandsQuery }) {
  return (
    <>
      <FilterBar path={PATH} active={q !== undefined}>
        <Field name="q" label={list.search} className="w-full sm:w-64">
          {(control) => <Input {...control} defaultValue={q} placeholder={list.searchHint} />}
        </Field>
      </FilterBar>
      <DataTable
        caption={list.caption}
        columns={columns}
        rows={page.rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => `${PATH}?brand=${id}`}
        empty={<Empty filtered={q !== undefined} />}
      />
      <Pagination path={PATH} query={{ q }} before={page.before} after={page.after} />
    </>
  )
}
