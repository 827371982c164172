import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { Card } from '#components/ui/card.tsx'
import { type Description, DescriptionList } from '#components/ui/description-list.tsx'
import { hrefWith } from '#components/ui/href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Time } from '#components/ui/time.tsx'
import { auditIdSchema } from '#lib/access/audit-list-schema.ts'
import { type AuditEvent, getAuditEvent } from '#lib/access/list-audit.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { describeAction } from '../action-texts.ts'
import { ActionName, ConcernedBrand } from '../event-parts.tsx'
import { texts } from '../texts.ts'
import { Difference } from './difference.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const PATH = '/admin/audit'

function Who({ actor, actorKind }: AuditEvent) {
  return (
    <>
      <bdi>{makeVisible(actor)}</bdi> ({texts.actorKinds[actorKind] ?? actorKind}){' · '}
      <Link href={hrefWith(PATH, { actor })} className="underline">
        {texts.detail.others}
      </Link>
    </>
  )
}

function factsOf(event: AuditEvent): Description[] {
  const { columns, detail } = texts
  return [
    { term: columns.at, value: <Time at={event.at.toISOString()} /> },
    { term: columns.actor, value: <Who {...event} /> },
    ...(event.actorId === null ? [] : [{ term: detail.actorId, value: event.actorId }]),
    { term: columns.action, value: <ActionName action={event.action} /> },
    // Where it has words of its own.
    ...(describeAction(event.action) === undefined
      ? []
      : [{ term: detail.code, value: <code className="font-mono">{event.action}</code> }]),
    { term: columns.subject, value: <bdi>{makeVisible(event.subject)}</bdi> },
    { term: columns.brand, value: <ConcernedBrand {...event} /> },
    { term: columns.address, value: event.address },
  ]
}

const hashOf = (bytes: Buffer) => <code className="break-all font-mono">{bytes.toString('hex')}</code>

export default async function AuditEventPage({ params }: { params: Promise<{ id: string }> }) {
  const viewer = await requirePermission('audit.read')
  const id = auditIdSchema.safeParse((await params).id)
  if (!id.success) notFound()
  const event = await orNotFound(getAuditEvent(viewer, id.data))
  const { detail } = texts
  const title = detail.title(String(event.id))
  return (
    <>
      <PageHeader title={title} crumbs={[{ label: texts.title, href: PATH }, { label: title }]} />
      <div className="space-y-6">
        <Card title={detail.facts}>
          <DescriptionList items={factsOf(event)} />
        </Card>
        <Card title={detail.changed}>
          <Difference before={event.before} after={event.after} />
        </Card>
        <Card title={detail.chain}>
          <DescriptionList
            items={[
              { term: detail.hash, value: hashOf(event.hash) },
              { term: detail.previous, value: hashOf(event.previousHash) },
            ]}
          />
        </Card>
      </div>
    </>
  )
}
