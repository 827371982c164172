import type { Metadata } from 'next'
import Link from 'next/link'
import { brandHref } from '#components/console/brand-href.ts'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { PersonalAgentName } from '#components/console/personal-agent-name.tsx'
import { UserIds } from '#components/console/user-ids.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Time } from '#components/ui/time.tsx'
import { may } from '#lib/access/permissions.ts'
import type { ConversationDetail } from '#lib/conversations/find-conversation.ts'
import { readTranscript } from '#lib/conversations/transcript.ts'
import { makeVisible } from '#lib/platform/text.ts'
import type { SearchParams } from '../../../search-params.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { ConversationState } from '../state.tsx'
import { texts } from '../texts.ts'
import { closeAction } from './actions.ts'
import { TranscriptList } from './transcript.tsx'

export const dynamic = 'force-dynamic'
const { detail, columns } = texts
export const metadata: Metadata = { title: detail.title }

const PATH = '/admin/conversations'

function Facts({ conversation }: { conversation: ConversationDetail }) {
  const { id, brand, personalAgent, subject, brandUserId, state, closedBy, closedAt } = conversation
  const { createdAt, lastActiveAt, retentionDays } = conversation
  return (
    <DescriptionList
      items={[
        { term: columns.state, value: <ConversationState state={state} closedBy={closedBy} /> },
        { term: columns.brand, value: <bdi>{makeVisible(brand.name)}</bdi> },
        { term: columns.personalAgent, value: <PersonalAgentName personalAgent={personalAgent} /> },
        { term: columns.user, value: <UserIds subject={subject} brandUserId={brandUserId} /> },
        { term: columns.begun, value: <Time at={createdAt.toISOString()} /> },
        { term: columns.lastActive, value: <Time at={lastActiveAt.toISOString()} /> },
        ...(closedAt ? [{ term: detail.closedAt, value: <Time at={closedAt.toISOString()} /> }] : []),
        { term: detail.contextId, value: <code className="break-all">{id}</code> },
        ...(retentionDays ? [{ term: detail.retentionTerm, value: detail.retention(retentionDays) }] : []),
      ]}
    />
  )
}

type Props = { params: Promise<{ id: string }>; searchParams: SearchParams }

export default async function ConversationPage({ params, searchParams }: Props) {
  const viewer = await requirePermission('conversations.read')
  const { id } = await params
  const { brand: chosen, after } = await searchParams
  const start = typeof after === 'string' ? after : undefined
  const brand = typeof chosen === 'string' ? chosen : undefined
  const { conversation, entries, next, continued, cut } = await orNotFound(readTranscript(viewer, id, start))
  const here = brandHref(`${PATH}/${id}`, brand)
  const closable = conversation.state === 'open' && may(viewer, 'conversations.write', conversation.brand.id)
  return (
    <>
      <PageHeader
        title={detail.title}
        crumbs={[{ label: texts.title, href: brandHref(PATH, brand) }, { label: id.slice(0, 8) }]}
        actions={
          closable ? (
            <ConfirmAction
              action={closeAction}
              fields={{ brandId: conversation.brand.id, id }}
              label={detail.close}
              title={detail.closeTitle}
              description={detail.closeWhat}
              confirmLabel={detail.close}
            />
          ) : undefined
        }
      />
      <div className="grid gap-6 xl:grid-cols-[1fr_24rem]">
        <Card title={detail.facts} className="xl:order-2 xl:self-start">
          <Facts conversation={conversation} />
        </Card>
        <section aria-label={detail.transcript} className="min-w-0 space-y-6">
          {conversation.masked ? <Alert title={detail.masked}>{detail.maskedWhy}</Alert> : null}
          {continued ? (
            <Button size="small" asChild>
              <Link href={here}>{detail.start}</Link>
            </Button>
          ) : null}
          <TranscriptList entries={entries} brand={brand} />
          {cut ? <p className="text-faint text-sm">{detail.cut}</p> : null}
          {next ? (
            <Button size="small" asChild>
              <Link href={hrefWith(here, { after: next })}>{detail.more}</Link>
            </Button>
          ) : null}
        </section>
      </div>
    </>
  )
}
