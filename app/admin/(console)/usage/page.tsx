import type { Metadata } from 'next'
import { Suspense } from 'react'
import { z } from 'zod'
import { SpanLinks } from '#components/console/span-links.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { usageOrders } from '#lib/conversations/read-usage.ts'
import { usageSpanSchema } from '#lib/conversations/usage-range.ts'
import type { SearchParams } from '../../search-params.ts'
import { requirePermission } from '../../viewer.ts'
import { texts } from './texts.ts'
import { UsageByBrand } from './usage-by-brand.tsx'
import { UsageOverTime } from './usage-over-time.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/usage'

const querySchema = z.object({
  span: usageSpanSchema.catch('7d'),
  sort: z.enum([...usageOrders, ...usageOrders.map((order) => `-${order}` as const)]).catch('-turns'),
  brand: brandIdSchema.optional().catch(undefined),
})

export default async function UsagePage({ searchParams }: { searchParams: SearchParams }) {
  const query = querySchema.parse(await searchParams)
  const { span, sort, brand } = query
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('usage.read', brand)
  const address = { brand, sort: sort === '-turns' ? undefined : sort }
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={<SpanLinks path={PATH} query={address} span={span} labels={texts.spans} />}
      />
      <Suspense key={JSON.stringify(query)} fallback={<LoadingRows rows={10} />}>
        <UsageByBrand viewer={viewer} query={query} path={PATH} />
        <UsageOverTime viewer={viewer} span={span} brand={brand} path={PATH} query={address} />
      </Suspense>
    </>
  )
}
