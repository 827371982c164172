import type { Metadata } from 'next'
import Link from 'next/link'
import { Suspense } from 'react'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { LoadingRows } from '#components/ui/skeleton.tsx'
import { may, type Viewer } from '#lib/access/permissions.ts'
import { countSettingsReach, findSettings } from '#lib/provisioning/settings-page.ts'
import { requirePermission } from '../../viewer.ts'
import { SettingsForm } from './settings-form.tsx'
import { SettingsView } from './settings-view.tsx'
import { texts } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

async function Settings({ viewer }: { viewer: Viewer }) {
  const shown = await findSettings(viewer)
  if (!shown) return <EmptyState title={texts.missing.title}>{texts.missing.body}</EmptyState>
  if (may(viewer, 'settings.write')) {
    return <SettingsForm shown={shown} reach={await countSettingsReach(viewer)} />
  }
  return (
    <div className="space-y-4">
      <Alert>{texts.readOnly}</Alert>
      <SettingsView shown={shown} />
    </div>
  )
}

function ProvisionCard() {
  const { title, description, download, advice, command } = texts.provision
  return (
    <Card
      className="max-w-3xl"
      title={title}
      description={description}
      actions={
        <Button asChild>
          <a href="/admin/settings/provision" download>
            {download}
          </a>
        </Button>
      }
    >
      <div className="space-y-3 text-sm">
        <p>{advice}</p>
        <CodeBlock label={title}>{command}</CodeBlock>
      </div>
    </Card>
  )
}

export default async function SettingsPage() {
  const viewer = await requirePermission('settings.read')
  const { members } = texts
  return (
    <>
      <PageHeader title={texts.title} description={texts.description} />
      <div className="space-y-8">
        <Suspense fallback={<LoadingRows rows={8} />}>
          <Settings viewer={viewer} />
        </Suspense>
        {may(viewer, 'provision.export') ? <ProvisionCard /> : null}
        <Card
          className="max-w-3xl"
          title={members.title}
          description={members.description}
          actions={
            <Button asChild>
              <Link href="/admin/members">{members.open}</Link>
            </Button>
          }
        />
      </div>
    </>
  )
}
