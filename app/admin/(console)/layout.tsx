import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { NavIcon } from '#components/console/nav-icon.tsx'
import { Shell } from '#components/console/shell.tsx'
import { brandsWhere } from '#lib/access/permissions.ts'
import { listVisibleBrands } from '#lib/access/visible-brands.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { sectionsFor } from '../sections.ts'
import { SignOut } from '../sign-in/sign-out.tsx'
import { findSignIn, requireViewer } from '../viewer.ts'
import { SecondFactorBanner } from './second-factor-banner.tsx'

export const metadata: Metadata = { title: { default: 'Console', template: '%s – PACT Provider' } }

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const viewer = await requireViewer()
  const [brands, provider] = await Promise.all([listVisibleBrands(viewer), findProvider()])
  const lacksSecondFactor = viewer.providerRole === 'admin' && !(await findSignIn())?.hasSecondFactor
  const sections = sectionsFor(viewer).map(({ title, links }) => ({
    title,
    links: links.map(({ href, label, icon }) => ({ href, label, icon: <NavIcon name={icon} /> })),
  }))
  return (
    <Shell
      name={provider?.organization ?? 'PACT Provider'}
      user={{ email: viewer.email }}
      brands={brands}
      allBrands={brandsWhere(viewer, 'brands.read') === 'all' || brands.length > 1}
      sections={sections}
      userLinks={[{ href: '/admin/account', label: 'My account' }]}
      signOut={<SignOut />}
      banner={lacksSecondFactor ? <SecondFactorBanner /> : null}
    >
      {children}
    </Shell>
  )
}
