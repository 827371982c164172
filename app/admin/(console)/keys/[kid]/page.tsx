import type { Metadata } from 'next'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { Time } from '#components/ui/time.tsx'
import { may } from '#lib/access/permissions.ts'
import { getKey, MOST_OF_KEY } from '#lib/keys/key-timeline.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { orNotFound, requirePermission } from '../../../viewer.ts'
import { compromiseAction, retireAction } from '../actions.ts'
import { KeyState } from '../key-state.tsx'
import { texts } from '../texts.ts'

export const dynamic = 'force-dynamic'
const { detail, timeline, retire, compromise } = texts
export const metadata: Metadata = { title: detail.title }

type KeyDetail = Awaited<ReturnType<typeof getKey>>

function Facts({ brand, signingKey: key }: KeyDetail) {
  const moments = [
    { term: timeline.made, at: key.createdAt },
    { term: timeline.signed, at: key.activatedAt },
    { term: timeline.signedUntil, at: key.retiredAt },
    { term: timeline.ended, at: key.endedAt },
  ]
  const verifying = key.state === 'active' || key.state === 'retired'
  return (
    <DescriptionList
      items={[
        {
          term: detail.state,
          value: (
            <>
              <KeyState state={key.state} /> <span className="block">{texts.does[key.state]}</span>
            </>
          ),
        },
        { term: detail.brand, value: <bdi>{makeVisible(brand.name)}</bdi> },
        { term: timeline.verifies, value: verifying ? timeline.both(key.use, MOST_OF_KEY) : timeline.none },
        ...moments.flatMap(({ term, at }) => (at ? [{ term, value: <Time at={at.toISOString()} /> }] : [])),
        { term: detail.algorithm, value: `${key.jwk.alg}, ${key.jwk.crv}` },
      ]}
    />
  )
}

function Compromise({ brand, signingKey: key }: KeyDetail) {
  return (
    <ConfirmAction
      action={compromiseAction}
      fields={{ brandId: brand.id, kid: key.kid }}
      label={compromise.button}
      variant="danger"
      title={compromise.title}
      description={
        <>
          <p>{compromise.what(key.use, MOST_OF_KEY)}</p>
          <p className="mt-2">
            {key.state === 'active' ? `${compromise.activeToo} ` : ''}
            {compromise.undone}
          </p>
        </>
      }
      confirmLabel={compromise.confirm}
      confirmName={brand.name}
    />
  )
}

function Actions(shown: KeyDetail) {
  const { brand, signingKey: key } = shown
  if (key.state === 'removed' || key.state === 'compromised') return null
  return (
    <>
      <ConfirmAction
        action={retireAction}
        fields={{ brandId: brand.id, kid: key.kid }}
        label={retire.confirm[key.state]}
        title={retire.title[key.state]}
        description={retire.what[key.state]}
        confirmLabel={retire.confirm[key.state]}
      />
      <Compromise {...shown} />
    </>
  )
}

export default async function KeyPage({ params }: { params: Promise<{ kid: string }> }) {
  const viewer = await requirePermission('keys.read')
  const { kid } = await params
  const shown = await orNotFound(getKey(viewer, kid))
  const { brand } = shown
  return (
    <>
      <PageHeader
        title={detail.title}
        description={<code className="break-all">{kid}</code>}
        crumbs={[
          { label: texts.title, href: '/admin/keys' },
          { label: makeVisible(brand.name), href: `/admin/keys?brand=${brand.id}` },
          { label: kid.slice(0, 8) },
        ]}
        actions={may(viewer, 'keys.write', brand.id) ? <Actions {...shown} /> : undefined}
      />
      <div className="grid gap-6 *:min-w-0 xl:grid-cols-2">
        <Card title={detail.facts}>
          <Facts {...shown} />
        </Card>
        <Card title={detail.publicKey} description={detail.publicKeyWhy}>
          <CodeBlock label={detail.publicKey}>{JSON.stringify(shown.signingKey.jwk, null, 2)}</CodeBlock>
        </Card>
      </div>
    </>
  )
}
