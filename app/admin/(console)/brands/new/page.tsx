import type { Metadata } from 'next'
import { HiddenField, TextAreaField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { newBrandId } from '#lib/brands/new-brand-id.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { requirePermission } from '../../../viewer.ts'
import { CardFields } from '../card-fields.tsx'
import { PreviewedForm } from '../previewed-form.tsx'
import { SkillRows } from '../skill-rows.tsx'
import { texts } from '../texts.ts'
import { createNewBrand, draftNew } from './actions.ts'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.create.title }

const { create, fields } = texts

export default async function NewBrand() {
  await requirePermission('brands.create')
  const id = newBrandId()
  const agent = { driver: 'scripted' as const, fallback: create.fallbackDefault }
  const card = await buildDraftCard({ id, name: '', description: '', agent })
  return (
    <>
      <PageHeader
        title={create.title}
        description={create.description}
        crumbs={[{ label: texts.list.title, href: '/admin/brands' }, { label: create.title }]}
      />
      <PreviewedForm action={createNewBrand} draft={draftNew} card={card}>
        <HiddenField name="id" value={id} />
        <Card title={`1. ${create.steps.card}`} description={create.steps.cardHint}>
          <div className="space-y-5">
            <CardFields />
          </div>
        </Card>
        <Card title={`2. ${create.steps.skills}`} description={create.steps.skillsHint}>
          <SkillRows skills={[]} disabled={false} />
        </Card>
        <Card title={`3. ${create.steps.domain}`}>
          <TextField
            name="domain"
            label={fields.domain}
            hint={fields.domainHint}
            optional
            autoComplete="off"
            inputMode="url"
          />
        </Card>
        <Card title={`4. ${create.steps.agent}`} description={create.steps.agentHint}>
          <TextAreaField
            name="agent.fallback"
            label={fields.fallback}
            defaultValue={create.fallbackDefault}
          />
        </Card>
        <SubmitButton>{create.submit}</SubmitButton>
      </PreviewedForm>
    </>
  )
}
