import { Plus, Store } from 'lucide-react'
import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { type ReactNode, Suspense } from 'react'
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
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { Time } from '#components/ui/time.tsx'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { type ListedBrand, listBrandPage } from '#lib/brands/list-brands.ts'
import { type BrandListQuery, brandListSchema } from '#lib/brands/list-schema.ts'
import { requirePermission } from '../../viewer.ts'
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

type ListProps = { viewer: Viewer; query: BrandListQuery; create: ReactNode }

function Empty({ filtered, create }: { filtered: boolean; create: ReactNode }) {
  if (filtered) return <EmptyState title={list.nothingTitle}>{list.nothing}</EmptyState>
  return (
    <EmptyState title={list.emptyTitle} icon={<Store />} action={create}>
      {create ? list.empty : list.emptyForMember}
    </EmptyState>
  )
}

async function List({ viewer, query, create }: ListProps) {
  const { rows, before, after } = await listBrandPage(viewer, query)
  const { q, state, sort, brand } = query
  return (
    <>
      <DataTable
        caption={list.title}
        columns={buildColumns(query)}
        rows={rows}
        rowKey={({ id }) => id}
        rowHref={({ id }) => brandHref(`${PATH}/${id}`, brand)}
        choosable
        empty={<Empty filtered={q !== undefined || state !== undefined} create={create} />}
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

function Filters({ query: { q, state, sort, brand } }: { query: BrandListQuery }) {
  return (
    <FilterBar
      path={PATH}
      keep={{ sort: sort === 'name' ? undefined : sort, brand }}
      active={q !== undefined || state !== undefined}
    >
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
  )
}

/** What the address names must be the viewer's before anything is sent: behind a skeleton there is no 404 any more. */
function requireNamed(viewer: Viewer, { brand, before, after }: BrandListQuery): void {
  for (const id of [brand, before, after]) {
    if (id !== undefined && !may(viewer, 'brands.read', id)) notFound()
  }
}

type Props = { searchParams: Promise<Record<string, string | string[]>> }

export default async function Brands({ searchParams }: Props) {
  const viewer = await requirePermission('brands.read')
  const query = brandListSchema.parse(await searchParams)
  requireNamed(viewer, query)
  const create = may(viewer, 'brands.create') ? (
    <Button variant="primary" asChild>
      <Link href="/admin/brands/new">
        <Plus aria-hidden /> {list.create}
      </Link>
    </Button>
  ) : null
  return (
    <>
      <PageHeader title={list.title} description={list.description} actions={create} />
      <Filters query={query} />
      <Suspense key={JSON.stringify(query)} fallback={<LoadingRows rows={10} />}>
        <List viewer={viewer} query={query} create={create} />
      </Suspense>
    </>
  )
}
