import type { Metadata } from 'next'
import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { getReceipt, type ReceiptDetail } from '#lib/delegation/find-receipt-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../../search-params.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { texts } from '../texts.ts'
import { VerifyLink } from '../verify-link.tsx'
import { ReceiptFacts } from './facts.tsx'
import { BrowserVerification } from './verification.tsx'

export const dynamic = 'force-dynamic'
const { detail } = texts
export const metadata: Metadata = { title: detail.title }

const PATH = '/admin/receipts'

function Turn({ turn, brand }: { turn: ReceiptDetail['turn']; brand: string | undefined }) {
  const { conversationId, messageId, row } = turn
  const conversation = brandHref(`/admin/conversations/${conversationId}`, brand)
  return (
    <div className="space-y-3 text-sm">
      <p>
        {row ? detail.reply : detail.stepUp} <code className="break-all">{makeVisible(messageId)}</code>
      </p>
      <Button size="small" asChild>
        <Link href={row ? `${conversation}#message-${row}` : conversation}>
          {row ? detail.openTurn : detail.openConversation}
        </Link>
      </Button>
    </div>
  )
}

function WhoVerifies() {
  return (
    <>
      {detail.jwsWhy} <VerifyLink />
    </>
  )
}

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams }

export default async function ReceiptPage({ params, searchParams }: Props) {
  const viewer = await requirePermission('receipts.read')
  const { id } = await params
  const { brand: chosen } = await searchParams
  const brand = typeof chosen === 'string' ? chosen : undefined
  const receipt = await orNotFound(getReceipt(viewer, id))
  const claims = JSON.stringify(receipt.claims)
  const shown = JSON.stringify(receipt.claims, null, 2).split('\n')
  return (
    <>
      <PageHeader
        title={detail.title}
        crumbs={[{ label: texts.title, href: brandHref(PATH, brand) }, { label: id }]}
      />
      <div className="grid gap-6 xl:grid-cols-[1fr_24rem]">
        <div className="min-w-0 space-y-6">
          <Card title={detail.says} description={detail.saysWhy}>
            <ReceiptFacts receipt={receipt} brand={brand} />
          </Card>
          <Card title={detail.jws} description={receipt.jws ? <WhoVerifies /> : undefined}>
            {receipt.jws ? (
              <CodeBlock label={detail.jws} className="[&_pre]:whitespace-pre-wrap [&_pre]:break-all">
                {receipt.jws}
              </CodeBlock>
            ) : (
              <Alert title={detail.masked}>{detail.maskedWhy}</Alert>
            )}
            <h3 className="mt-4 mb-2 font-medium text-sm">{detail.claims}</h3>
            <CodeBlock label={detail.claims}>{shown.map(makeVisible).join('\n')}</CodeBlock>
          </Card>
        </div>
        <div className="space-y-6 max-xl:order-first">
          {receipt.jws ? (
            <Card title={texts.verification.title}>
              <BrowserVerification jws={receipt.jws} claims={claims} jwksUri={receipt.brand.jwksUri} />
            </Card>
          ) : null}
          <Card title={detail.turn}>
            <Turn turn={receipt.turn} brand={brand} />
          </Card>
        </div>
      </div>
    </>
  )
}
