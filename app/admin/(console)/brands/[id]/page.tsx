import { Card } from '#components/ui/card.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { Time } from '#components/ui/time.tsx'
import { authorizationServer, cardUrl, interfaceUrl } from '#lib/brands/addresses.ts'
import { hasSigningKeys } from '#lib/brands/has-signing-keys.ts'
import { hasConversations } from '#lib/conversations/has-conversations.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { CardPreview } from '../card-preview.tsx'
import { texts } from '../texts.ts'
import { NextSteps } from './next-steps.tsx'
import { type BrandParams, showBrand } from './shown-brand.ts'

export const dynamic = 'force-dynamic'

const { overview } = texts

function Address({ url, label }: { url: string; label: string }) {
  return (
    <span className="flex items-center gap-1">
      <span className="break-all font-mono text-xs">{url}</span>
      <CopyButton text={url} label={`${overview.copy}: ${label}`} />
    </span>
  )
}

export default async function BrandOverview({ params }: BrandParams) {
  const { viewer, brand, writes } = await showBrand((await params).id)
  const { id, settings, createdAt, version, archivedAt } = brand
  const { consentUrl, jwksUri } = authorizationServer(id)
  const isNew = writes && !archivedAt && !(await hasConversations(viewer, id))
  const address = (term: string, url: string) => ({ term, value: <Address label={term} url={url} /> })
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-6">
        {isNew ? <NextSteps id={id} viewer={viewer} /> : null}
        <Card title={overview.addresses} description={overview.addressesHint}>
          <DescriptionList
            items={[
              address(overview.card, cardUrl(id)),
              address(overview.interfaceUrl, interfaceUrl(id)),
              ...(settings.delegation ? [address(overview.consentUrl, consentUrl)] : []),
              ...(hasSigningKeys(settings) ? [address(overview.jwks, jwksUri)] : []),
              address(overview.id, id),
            ]}
          />
        </Card>
        <Card title={overview.facts}>
          <DescriptionList
            items={[
              { term: texts.fields.domain, value: settings.domain },
              { term: overview.created, value: <Time at={createdAt.toISOString()} /> },
              { term: overview.changed, value: <Time at={version.toISOString()} /> },
              ...(archivedAt
                ? [{ term: texts.states.archived, value: <Time at={archivedAt.toISOString()} /> }]
                : []),
            ]}
          />
        </Card>
      </div>
      <CardPreview card={await buildDraftCard(settings)} />
    </div>
  )
}
