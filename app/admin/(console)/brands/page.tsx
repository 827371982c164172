import { Plus, Store } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { DataTable } from '#components/console/data-table.tsx'
import type { Column, Sort } from '#components/console/table-column.ts'
import { Badge } from '#components/ui/badge.tsx'
import { Button } from '#components/ui/button.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { Input } from '#components/ui/input.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Pagination } from '#components/ui/pagination.tsx'
import { Time } from '#components/ui/time.tsx'
import { may } from '#lib/access/permissions.ts'
import { type ListedBrand, listBrandPage } from '#lib/brands/list-brands.ts'
import { type BrandListQuery, brandListSchema } from '#lib/brands/list-schema.ts'
import { orNotFound, requirePermission } from '../../viewer.ts'
import { BrandState } from './brand-state.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.list.title }

const PATH = '/admin/brands'
const { list } = texts
const { columns } = list

function sortLink(query: BrandListQuery, by: 'name' | 'created'): Sort {
  const rising = query.sort === by
  const falling = query.sort === `-${by}`
  const { q, state, brand } = query
  return {
    href: hrefWith(PATH, { q, state, brand, sort: rising ? `-${by}` : by }),
    direction: rising ? 'ascending' : falling ? 'descending' : undefined,
  }
}

function buildColumns(query: BrandListQuery): Column<ListedBrand>[] {
  return [
    {
      id: 'name',
      header: columns.name,
      cell: ({ name }) => <bdi>{name}</bdi>,
      sort: sortLink(query, 'name'),
    },
    { id: 'state', header: columns.state, cell: (brand) => <BrandState brand={brand} /> },
    { id: 'domain', header: columns.domain, cell: ({ domain }) => domain ?? '–' },
    {
      id: 'profile',
      header: columns.profile,
      cell: ({ delegates, scopes }) => (
        <Badge state={delegates ? 'info' : 'neutral'}>
          {delegates ? `${list.delegated}, ${list.scopes(scopes)}` : list.identity}
        </Badge>
      ),
    },
    { id: 'skills', header: columns.skills, align: 'end', cell: ({ skills }) => skills },
    {
      id: 'created',
      header: columns.created,
      cell: ({ createdAt }) => <Time at={createdAt.toISOString()} />,
      sort: sortLink(query, 'created'),
    },
  ]
}

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Brands({ searchParams }: Props) {
  const viewer = await requirePermission('brands.read')
  const query = brandListSchema.parse(await searchParams)
  const { rows, before, after } = await orNotFound(listBrandPage(viewer, query))
  const { q, state, sort, brand } = query
  const creates = may(viewer, 'brands.create')
  const filtered = q !== undefined || state !== undefined
  const create = creates ? (
    <Button variant="primary" asChild>
      <Link href="/admin/brands/new">
        <Plus aria-hidden /> {list.create}
      </Link>
    </Button>
  ) : null
  return (
    <>
      <PageHeader title={list.title} description={list.description} actions={create} />
      <FilterBar path={PATH} keep={{ sort: sort === 'name' ? undefined : sort, brand }} active={filtered}>
        <Field name="q" label={list.search} className="w-full sm:w-64">
          {(control) => <Input type="search" defaultValue={q} placeholder={list.searchHint} {...control} />}
        </Field>
        <Field name="state" label={list.state}>
          {(control) => (
            <NativeSelect
              defaultValue={state ?? ''}
              options={Object.entries(list.states).map(([value, label]) => ({ value, label }))}
              {...control}
            />
          )}
        </Field>
      </FilterBar>
      <DataTable
        caption={list.title}
        columns={buildColumns(query)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={
          filtered ? (
            <EmptyState title={list.nothingTitle}>{list.nothing}</EmptyState>
          ) : (
            <EmptyState title={list.emptyTitle} icon={<Store />} action={create}>
              {creates ? list.empty : list.emptyForMember}
            </EmptyState>
          )
        }
      />
      <Pagination
        path={PATH}
        query={{ q, state, sort: sort === 'name' ? undefined : sort, brand }}
        before={before}
        after={after}
      />
    </>
  )
}
