import type { Metadata } from 'next'
import { Suspense } from 'react'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { type KeyBrandsQuery, keyBrandsSchema } from '#lib/keys/brand-list-schema.ts'
import { readKeyTimeline } from '#lib/keys/key-timeline.ts'
import { listBrandKeys } from '#lib/keys/list-brand-keys.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../search-params.ts'
import { orNotFound, requirePermission } from '../../viewer.ts'
import { BrandKeysList } from './brand-keys-list.tsx'
import { RotateButtons } from './rotate.tsx'
import { Schedule } from './schedule.tsx'
import { texts } from './texts.ts'
import { Timeline } from './timeline.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

async function KeysOfBrand({ viewer, brandId }: { viewer: Viewer; brandId: string }) {
  const { brand, keys, jwks } = await orNotFound(readKeyTimeline(viewer, brandId))
  const writable = may(viewer, 'keys.write', brandId)
  const { timeline } = texts
  return (
    <>
      <PageHeader
        title={texts.title}
        description={<bdi>{makeVisible(brand.name)}</bdi>}
        crumbs={[{ label: texts.title, href: '/admin/keys' }, { label: makeVisible(brand.name) }]}
        actions={writable ? <RotateButtons brand={brand} keys={keys} /> : undefined}
      />
      {keys.length === 0 ? (
        <EmptyState title={timeline.empty.title}>{timeline.empty.body}</EmptyState>
      ) : (
        <div className="grid gap-6 *:min-w-0 xl:grid-cols-[1fr_28rem]">
          <Card title={timeline.title} className="self-start">
            <Timeline brand={brand} keys={keys} />
          </Card>
          <div className="space-y-6">
            <Schedule brand={brand} writable={writable} />
            <Card
              title={texts.jwks.title}
              description={
                <>
                  {brand.published ? texts.jwks.description : texts.jwks.unpublished}{' '}
                  <code className="break-all">{brand.jwksUri}</code>
                </>
              }
            >
              <CodeBlock label={texts.jwks.title}>{JSON.stringify(jwks, null, 2)}</CodeBlock>
            </Card>
          </div>
        </div>
      )}
    </>
  )
}

async function BrandList({ viewer, query }: { viewer: Viewer; query: KeyBrandsQuery }) {
  return <BrandKeysList page={await listBrandKeys(viewer, query)} query={query} />
}

export default async function KeysPage({ searchParams }: { searchParams: SearchParams }) {
  const params = await searchParams
  const brandId = brandIdSchema.optional().catch(undefined).parse(params.brand)
  // Before anything is sent: once the skeleton is out, the answer can't be a 404 any more.
  const viewer = await requirePermission('keys.read', brandId)
  if (brandId !== undefined) return <KeysOfBrand viewer={viewer} brandId={brandId} />
  const query = keyBrandsSchema.parse(params)
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <Suspense key={JSON.stringify(query)} fallback={<LoadingRows rows={10} />}>
        <BrandList viewer={viewer} query={query} />
      </Suspense>
    </>
  )
}
