import Link from 'next/link'
import { ActionForm } from '#components/console/action-form.tsx'
import { CheckboxField, HiddenField, SelectField, TextAreaField } from '#components/console/form-field.tsx'
import { FormResult } from '#components/console/form-result.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Button } from '#components/ui/button.tsx'
import { Card } from '#components/ui/card.tsx'
import { Renewed } from '../../../renewed.tsx'
import type { BrandParams } from '../../shown-brand.ts'
import { showAgent } from '../shown-agent.ts'
import { texts } from '../texts.ts'
import { saveTools, tryToolNow } from './actions.tsx'
import { toToolRow } from './tool-row.ts'
import { ToolRows } from './tool-rows.tsx'

export const dynamic = 'force-dynamic'

const { tools: text } = texts

function TryTool({ id, names }: { id: string; names: readonly string[] }) {
  if (names.length === 0) return <p className="text-faint text-sm">{text.try.noTools}</p>
  return (
    <ActionForm action={tryToolNow} warnUnsaved={false}>
      <HiddenField name="id" value={id} />
      <SelectField
        name="tool"
        label={text.try.tool}
        options={names.map((name) => ({ value: name, label: name }))}
      />
      <TextAreaField name="values" label={text.try.arguments} hint={text.try.argumentsHint} optional />
      <TextAreaField name="token" label={text.try.token} hint={text.try.tokenHint} optional />
      <CheckboxField name="send" label={text.try.send} hint={text.try.sendHint} />
      <SubmitButton variant="secondary">{text.try.submit}</SubmitButton>
      <FormResult label={text.try.result} />
    </ActionForm>
  )
}

export default async function AgentTools({ params }: BrandParams) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  const { agent, number, brand } = draft
  const tools = (agent.tools ?? []).map(toToolRow)
  const scopes = (brand.settings.delegation?.scopes ?? []).map(({ id: scope }) => scope)
  return (
    <div className="max-w-4xl space-y-6">
      <Renewed version={number}>
        <ActionForm action={saveTools} reloadTheirs>
          <HiddenField name="id" value={id} />
          <HiddenField name="version" value={String(number)} />
          <Card
            title={text.title}
            description={text.hint}
            actions={
              writes ? (
                <Button asChild>
                  <Link href={`/admin/brands/${id}/agent/tools/import`}>{text.import}</Link>
                </Button>
              ) : null
            }
          >
            <ToolRows tools={tools} scopes={scopes} disabled={!writes} />
          </Card>
          {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
        </ActionForm>
      </Renewed>
      {writes ? (
        <Card title={text.try.title} description={text.try.hint}>
          <TryTool id={id} names={tools.map(({ name }) => name)} />
        </Card>
      ) : null}
    </div>
  )
}
