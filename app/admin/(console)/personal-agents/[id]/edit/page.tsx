import type { Metadata } from 'next'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { ActionForm } from '#components/console/action-form.tsx'
import { brandHref } from '#components/console/brand-href.ts'
import { HiddenField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { may } from '#lib/access/permissions.ts'
import { findAgentDetail, findProviderDefaults } from '#lib/identity/agent-detail.ts'
import { defaultLimits } from '#lib/identity/schema.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../../../viewer.ts'
import { edit } from '../../actions.ts'
import { LimitFields } from '../../limit-fields.tsx'
import { texts } from '../../texts.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.editPage.title }

const LIST = '/admin/personal-agents'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function EditPersonalAgentPage({ params, searchParams }: Props) {
  const viewer = await requirePermission('personal-agents.write')
  const { id } = await params
  const { brand: asked } = await searchParams
  const brand = typeof asked === 'string' ? asked : undefined
  const agent = may(viewer, 'personal-agents.read') ? await findAgentDetail(viewer, id) : undefined
  if (!agent) notFound()
  const { limits = defaultLimits } = (await findProviderDefaults(viewer)) ?? {}
  const { fields } = texts
  const name = makeVisible(agent.name)
  const page = brandHref(`${LIST}/${agent.id}`, brand)
  return (
    <>
      <PageHeader
        crumbs={[
          { label: texts.title, href: brandHref(LIST, brand) },
          { label: name, href: page },
          { label: texts.editPage.title },
        ]}
        title={
          <>
            {texts.editPage.title}: <bdi>{name}</bdi>
          </>
        }
      />
      <Card>
        <ActionForm action={edit} labels={texts.labels}>
          {agent.origin === 'discovered' ? <Alert title={texts.editPage.discovered} /> : null}
          <HiddenField name="id" value={agent.id} />
          <HiddenField name="version" value={agent.updatedAt.toISOString()} />
          <TextField name="name" label={fields.name} hint={fields.nameHint} defaultValue={agent.name} />
          <TextField
            name="issuer"
            label={fields.issuer}
            hint={fields.issuerFixed}
            defaultValue={agent.issuer}
            readOnly
          />
          <TextField
            name="jwksUri"
            label={fields.jwksUri}
            hint={fields.jwksUriHint}
            type="url"
            defaultValue={agent.jwksUri}
          />
          <LimitFields limits={agent.limits} defaults={limits} />
          <div className="flex flex-wrap gap-2">
            <SubmitButton>{texts.save}</SubmitButton>
            <Button variant="ghost" asChild>
              <Link href={page}>{texts.cancel}</Link>
            </Button>
          </div>
        </ActionForm>
      </Card>
    </>
  )
}
