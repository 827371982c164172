import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { TabLinks } from '#components/console/tab-links.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { BrandState } from '../brand-state.tsx'
import { texts } from '../texts.ts'
import { type BrandParams, showBrand } from './shown-brand.ts'

const { tabs } = texts

export async function generateMetadata({ params }: BrandParams): Promise<Metadata> {
  const { brand } = await showBrand((await params).id)
  return { title: brand.settings.name }
}

export default async function BrandLayout({ params, children }: BrandParams & { children: ReactNode }) {
  const { brand, writes } = await showBrand((await params).id)
  const { name } = brand.settings
  const at = `/admin/brands/${brand.id}`
  return (
    <>
      <PageHeader
        title={<bdi>{name}</bdi>}
        crumbs={[{ label: texts.list.title, href: '/admin/brands' }, { label: name }]}
        actions={<BrandState brand={brand} />}
      />
      <TabLinks
        label={tabs.label}
        links={[
          { href: at, label: tabs.overview },
          { href: `${at}/card`, label: tabs.card },
          { href: `${at}/login`, label: tabs.login },
          { href: `${at}/agent`, label: tabs.agent, deep: true },
          { href: `${at}/usage`, label: tabs.usage },
          { href: `${at}/limits`, label: tabs.limits },
          { href: `${at}/domain`, label: tabs.domain },
          { href: `${at}/state`, label: tabs.state },
        ]}
      />
      {writes ? null : <Alert className="mb-6">{texts.readOnly}</Alert>}
      {children}
    </>
  )
}
