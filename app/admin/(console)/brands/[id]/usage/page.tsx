import { Suspense } from 'react'
import { z } from 'zod'
import { SpanLinks } from '#components/console/span-links.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { usageSpanSchema } from '#lib/conversations/usage-range.ts'
import type { SearchParams } from '../../../../search-params.ts'
import { requirePermission } from '../../../../viewer.ts'
import { texts } from '../../../usage/texts.ts'
import { UsageOverTime } from '../../../usage/usage-over-time.tsx'
import { type BrandParams, showBrand } from '../shown-brand.ts'

export const dynamic = 'force-dynamic'

const querySchema = z.object({
  span: usageSpanSchema.catch('7d'),
  brand: brandIdSchema.optional().catch(undefined),
})

export default async function BrandUsage({
  params,
  searchParams,
}: BrandParams & { searchParams: SearchParams }) {
  const { id } = await params
  await showBrand(id)
  const viewer = await requirePermission('usage.read', id)
  // `brand` is what the switcher has chosen, and goes along.
  const { span, brand } = querySchema.parse(await searchParams)
  const path = `/admin/brands/${id}/usage`
  return (
    <>
      <div className="mb-4 flex flex-wrap gap-2">
        <SpanLinks path={path} query={{ brand }} span={span} labels={texts.spans} />
      </div>
      <Suspense key={span} fallback={<LoadingRows rows={10} />}>
        <UsageOverTime viewer={viewer} span={span} brand={id} path={path} query={{ brand }} />
      </Suspense>
    </>
  )
}
