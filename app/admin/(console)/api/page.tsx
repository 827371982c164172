import type { Metadata } from 'next'
import Link from 'next/link'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { tokenLifetimes } from '#lib/access/api-token-schema.ts'
import { listOwnTokens } from '#lib/access/api-tokens.ts'
import { mayAnywhere, permissions } from '#lib/access/permissions.ts'
import { listVisibleBrands } from '#lib/access/visible-brands.ts'
import { config } from '#lib/platform/config.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../viewer.ts'
import { OwnTokens } from './own-tokens.tsx'
import { permissionTexts, texts } from './texts.ts'
import { TokenForm } from './token-form.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

export default async function ApiPage() {
  const viewer = await requirePermission('home.read')
  const [tokens, brands] = await Promise.all([listOwnTokens(viewer), listVisibleBrands(viewer)])
  const options = brands.map(({ id, name }) => ({ value: id, label: makeVisible(name) }))
  const nameOf = (brandId: string) => options.find(({ value }) => value === brandId)?.label ?? brandId
  const offered = permissions.filter((permission) => mayAnywhere(viewer, permission))
  return (
    <>
      <PageHeader
        title={texts.title}
        description={texts.description}
        actions={
          <>
            <Button asChild>
              <a href="/api/v1/openapi.json">{texts.document}</a>
            </Button>
            <Button asChild>
              <Link href="/admin/api/reference">{texts.reference}</Link>
            </Button>
          </>
        }
      />
      <div className="max-w-4xl space-y-6">
        <Card title={texts.make} description={texts.makeHint}>
          <TokenForm
            brands={options}
            lifetimes={tokenLifetimes}
            permissions={offered.map((value) => ({ value, label: permissionTexts[value] }))}
            api={`${config().providerUrl}/api/v1`}
          />
        </Card>
        <OwnTokens tokens={tokens} nameOf={nameOf} />
      </div>
    </>
  )
}
