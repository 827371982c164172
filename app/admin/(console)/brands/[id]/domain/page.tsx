import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField, TextField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { Tabs } from '#components/ui/tabs.tsx'
import { cardUrl } from '#lib/brands/addresses.ts'
import { wellKnownUrl } from '#lib/brands/check-domain.ts'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'
import { checkDomainForm, saveDomain } from './actions.ts'
import { DomainCheckButton } from './domain-check.tsx'
import { redirectSnippets } from './redirect-snippets.ts'

export const dynamic = 'force-dynamic'

const { domain: text, fields } = texts

function Redirect({ id, domain, writes }: { id: string; domain: string; writes: boolean }) {
  const to = cardUrl(id)
  const code = (url: string) => <span className="break-all font-mono text-xs">{url}</span>
  return (
    <Card title={text.redirect}>
      <div className="space-y-5">
        <DescriptionList
          items={[
            { term: text.from, value: code(wellKnownUrl(domain)) },
            { term: text.to, value: code(to) },
          ]}
        />
        {writes ? <DomainCheckButton id={id} /> : null}
        <Tabs
          label={text.snippets}
          tabs={redirectSnippets(to).map(({ name, text: snippet }) => ({
            value: name,
            label: name,
            content: <CodeBlock label={name}>{snippet}</CodeBlock>,
          }))}
        />
      </div>
    </Card>
  )
}

export default async function BrandDomain({ params }: BrandParams) {
  const { brand, writes } = await showBrand((await params).id)
  const { id, version, settings } = brand
  return (
    <div className="max-w-3xl space-y-6">
      <Card title={text.title} description={text.hint}>
        <ActionForm action={saveDomain} check={checkDomainForm} reloadTheirs>
          <HiddenField name="id" value={id} />
          <HiddenField name="version" value={version.toISOString()} />
          <TextField
            name="domain"
            label={fields.domain}
            hint={fields.domainHint}
            defaultValue={settings.domain ?? ''}
            readOnly={!writes}
            optional
            autoComplete="off"
            inputMode="url"
          />
          {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
        </ActionForm>
      </Card>
      {settings.domain === undefined ? (
        <p className="text-faint text-sm">{text.none}</p>
      ) : (
        <Redirect id={id} domain={settings.domain} writes={writes} />
      )}
    </div>
  )
}
