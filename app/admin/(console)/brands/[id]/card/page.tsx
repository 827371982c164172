import { HiddenField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { CardFields } from '../../card-fields.tsx'
import { PreviewedForm } from '../../previewed-form.tsx'
import { SkillRows } from '../../skill-rows.tsx'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'
import { draftCard, saveCard } from './actions.ts'

export const dynamic = 'force-dynamic'

const { create } = texts

export default async function BrandCard({ params }: BrandParams) {
  const { brand, writes } = await showBrand((await params).id)
  const { id, version, settings } = brand
  const skills = (settings.skills ?? []).map((skill) => ({
    ...skill,
    tags: skill.tags ?? [],
    examples: skill.examples ?? [],
  }))
  return (
    <PreviewedForm action={saveCard} draft={draftCard} card={await buildDraftCard(settings)}>
      <HiddenField name="id" value={id} />
      <HiddenField name="version" value={version.toISOString()} />
      <Card title={create.steps.card} description={create.steps.cardHint}>
        <div className="space-y-5">
          <CardFields name={settings.name} description={settings.description} disabled={!writes} />
        </div>
      </Card>
      <Card title={create.steps.skills} description={create.steps.skillsHint}>
        <SkillRows skills={skills} disabled={!writes} />
      </Card>
      {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
    </PreviewedForm>
  )
}
