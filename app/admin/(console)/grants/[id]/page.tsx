import type { Metadata } from 'next'
import { brandHref } from '#components/console/brand-href.ts'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import { UserIds } from '#components/console/user-ids.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { may } from '#lib/access/permissions.ts'
import { type GrantDetail, getGrantDetail } from '#lib/delegation/find-grant-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../../search-params.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { revokeAction } from '../actions.ts'
import { GrantState } from '../state.tsx'
import { texts } from '../texts.ts'
import { ConsentList } from './consents.tsx'
import { GrantHistory } from './history.tsx'
import { ReceiptList, ScopeList, TokenList } from './parts.tsx'

export const dynamic = 'force-dynamic'
const { detail, columns } = texts
export const metadata: Metadata = { title: detail.title }

const PATH = '/admin/grants'

function Facts({ grant }: { grant: GrantDetail }) {
  const { id, brand, personalAgent, state, createdAt, expiresAt, lastUsedAt, revokedAt, revokedBy } = grant
  const by = revokedBy === undefined ? '' : (detail.revokedBy[revokedBy] ?? makeVisible(revokedBy))
  return (
    <DescriptionList
      items={[
        { term: columns.state, value: <GrantState state={state} /> },
        { term: columns.brand, value: <bdi>{makeVisible(brand.name)}</bdi> },
        { term: columns.personalAgent, value: <PersonalAgentName personalAgent={personalAgent} /> },
        { term: columns.user, value: <UserIds {...grant} /> },
        { term: columns.given, value: <Time at={createdAt.toISOString()} /> },
        { term: columns.expires, value: <Time at={expiresAt.toISOString()} /> },
        {
          term: columns.lastUsed,
          value: lastUsedAt ? <RelativeTime at={lastUsedAt.toISOString()} /> : texts.never,
        },
        ...(revokedAt
          ? [
              {
                term: detail.revoked,
                value: (
                  <>
                    <Time at={revokedAt.toISOString()} />, {by}
                  </>
                ),
              },
            ]
          : []),
        { term: detail.id, value: <code className="break-all">{makeVisible(id)}</code> },
      ]}
    />
  )
}

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams }

export default async function GrantPage({ params, searchParams }: Props) {
  const viewer = await requirePermission('grants.read')
  const [{ id }, { brand: chosen }] = await Promise.all([params, searchParams])
  const brand = typeof chosen === 'string' ? chosen : undefined
  const grant = await orNotFound(getGrantDetail(viewer, id))
  const revocable = grant.state === 'live' && may(viewer, 'grants.revoke', grant.brand.id)
  return (
    <>
      <PageHeader
        title={detail.title}
        crumbs={[{ label: texts.title, href: brandHref(PATH, brand) }, { label: grant.id.slice(0, 17) }]}
        actions={
          revocable ? (
            <ConfirmAction
              action={revokeAction}
              fields={{ brandId: grant.brand.id, id: grant.id }}
              label={texts.revoke.label}
              variant="danger"
              title={texts.revoke.title}
              description={texts.revoke.what(grant.scopes.length)}
              confirmLabel={texts.revoke.label}
            />
          ) : undefined
        }
      />
      {grant.notBefore && grant.state === 'live' ? (
        <Alert kind="warning" title={detail.notBefore} className="mb-6">
          {detail.notBeforeWhat}
        </Alert>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-2 [&>*]:min-w-0">
        <div className="space-y-6">
          <Card title={detail.facts}>
            <Facts grant={grant} />
          </Card>
          <Card title={detail.scopes}>
            <ScopeList scopes={grant.scopes} />
          </Card>
          <Card title={detail.history} description={detail.historyWhat}>
            <GrantHistory changes={grant.changes} />
          </Card>
          <Card title={detail.tokens} description={detail.tokensWhat}>
            <TokenList tokens={grant.tokens} />
          </Card>
        </div>
        <div className="space-y-6">
          <Card title={detail.consents} description={detail.consentsWhat}>
            <ConsentList consents={grant.consents} />
          </Card>
          <Card title={detail.receipts}>
            <ReceiptList receipts={grant.receipts} brand={brand} />
          </Card>
        </div>
      </div>
    </>
  )
}
