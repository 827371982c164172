import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { HiddenField } from '#components/console/form-field.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Alert } from '#components/ui/alert.tsx'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { authorizationServer } from '#lib/brands/addresses.ts'
import { type BrandUse, countBrandUse } from '#lib/brands/brand-use.ts'
import type { VisibleBrand } from '#lib/brands/visible-brand.ts'
import { assertionChecks } from '#lib/delegation/assertion-checks.ts'
import { buildDraftCard } from '#lib/protocol/draft-card.ts'
import { showCount } from '../../counted.ts'
import { PreviewedForm } from '../../previewed-form.tsx'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'
import { draftLogin, saveLogin, stopDelegation } from './actions.ts'
import { KeyCheck } from './key-check.tsx'
import { AppearanceFields, LoginFields } from './login-fields.tsx'
import { RoundTrip } from './round-trip.tsx'
import { type ScopeRow, ScopeRows } from './scope-rows.tsx'

export const dynamic = 'force-dynamic'

const { login: text, test, overview } = texts

function toRows({ settings }: VisibleBrand, use: BrandUse): ScopeRow[] {
  const tools = settings.agent.tools ?? []
  return (settings.delegation?.scopes ?? []).map(({ id, description }) => ({
    id,
    description,
    grants: showCount(use.grantsByScope.get(id) ?? 0),
    tools: tools.filter(({ scope }) => scope === id).length,
  }))
}

function Contract({ brandId }: { brandId: string }) {
  return (
    <details className="text-sm">
      <summary className="cursor-pointer font-medium">{test.contract}</summary>
      <div className="mt-2 space-y-2">
        <p>{test.contractText}</p>
        <DescriptionList
          items={[
            {
              term: overview.consentUrl,
              value: (
                <span className="break-all font-mono text-xs">{authorizationServer(brandId).consentUrl}</span>
              ),
            },
          ]}
        />
        <ul className="list-disc space-y-1 pl-5">
          {assertionChecks.map((check) => (
            <li key={check}>{test.checks[check]}</li>
          ))}
        </ul>
      </div>
    </details>
  )
}

function TestLogin({ brand }: { brand: VisibleBrand }) {
  return (
    <Card title={test.title} description={test.hint}>
      <div className="space-y-5">
        <KeyCheck id={brand.id} />
        {brand.enabled ? <RoundTrip id={brand.id} /> : <Alert kind="warning">{test.disabled}</Alert>}
        <Contract brandId={brand.id} />
      </div>
    </Card>
  )
}

function Stop({ brand, use }: { brand: VisibleBrand; use: BrandUse }) {
  return (
    <ConfirmAction
      action={stopDelegation}
      fields={{ id: brand.id, version: brand.version.toISOString() }}
      label={text.stop}
      title={text.stopTitle}
      description={text.stopText(showCount(use.liveGrants))}
      confirmLabel={text.stopConfirm}
      confirmName={brand.settings.name}
    />
  )
}

export default async function BrandLoginPage({ params }: BrandParams) {
  const { viewer, brand, writes } = await showBrand((await params).id)
  const { id, version, settings } = brand
  const use = await countBrandUse(viewer, id)
  const part = { delegation: settings.delegation, readOnly: !writes }
  return (
    <div className="space-y-6">
      {settings.delegation ? null : <Alert title={text.title}>{text.offer}</Alert>}
      <PreviewedForm
        key={settings.delegation ? 'offered' : 'not-offered'}
        action={saveLogin}
        draft={draftLogin}
        card={await buildDraftCard(settings)}
      >
        <HiddenField name="id" value={id} />
        <HiddenField name="version" value={version.toISOString()} />
        <Card title={text.scopes} description={text.scopesHint}>
          <ScopeRows scopes={toRows(brand, use)} disabled={!writes} />
        </Card>
        <Card title={text.login} description={text.loginHint}>
          <LoginFields {...part} />
        </Card>
        <Card title={text.appearance} description={text.appearanceHint}>
          <AppearanceFields {...part} />
        </Card>
        {writes ? <SubmitButton>{texts.save}</SubmitButton> : null}
      </PreviewedForm>
      {settings.delegation && writes ? (
        <>
          <TestLogin brand={brand} />
          <Stop brand={brand} use={use} />
        </>
      ) : null}
    </div>
  )
}
