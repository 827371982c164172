import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Card } from '#components/ui/card.tsx'
import { may } from '#lib/access/permissions.ts'
import { type BrandUse, countBrandUse } from '#lib/brands/brand-use.ts'
import type { VisibleBrand } from '#lib/brands/visible-brand.ts'
import { showCount } from '../../counted.ts'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'
import { bringBack, disableBrand, enableBrand, putAway } from './actions.ts'

export const dynamic = 'force-dynamic'

const { state } = texts

type Props = { brand: VisibleBrand; use: BrandUse }

function Switch({ brand, use }: Props) {
  const { name } = brand.settings
  const fields = { id: brand.id, version: brand.version.toISOString() }
  const [grants, conversations] = [showCount(use.liveGrants), showCount(use.openConversations)]
  if (brand.enabled) {
    return (
      <ConfirmAction
        action={disableBrand}
        fields={fields}
        label={state.disable}
        title={state.disableTitle(name)}
        description={state.disableText(grants, conversations)}
        confirmLabel={state.disable}
      />
    )
  }
  return (
    <ConfirmAction
      action={enableBrand}
      fields={fields}
      label={state.enable}
      variant="primary"
      title={`${state.enable}: ${name}`}
      description={state.enabledText}
      confirmLabel={state.enable}
      danger={false}
    />
  )
}

function Effects({ brand, use }: Props) {
  const { effects } = state
  const { domain } = brand.settings
  const lines = [
    effects.agent,
    effects.grants(showCount(use.liveGrants)),
    effects.conversations(showCount(use.openConversations)),
    effects.keys(showCount(use.keys)),
    ...(domain === undefined ? [] : [effects.domain(domain)]),
    effects.members,
  ]
  return (
    <ul className="list-disc space-y-1 pl-5">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

function Archive({ brand, use }: Props) {
  const { name } = brand.settings
  return (
    <ConfirmAction
      action={putAway}
      fields={{ id: brand.id }}
      label={state.archive}
      variant="danger"
      title={state.confirmTitle(name)}
      description={<Effects brand={brand} use={use} />}
      confirmLabel={state.confirm}
      confirmName={name}
    />
  )
}

function Restore({ brand }: Pick<Props, 'brand'>) {
  return (
    <ConfirmAction
      action={bringBack}
      fields={{ id: brand.id }}
      label={state.restore}
      title={state.restoreTitle(brand.settings.name)}
      description={state.restoreText}
      confirmLabel={state.restore}
      danger={false}
    />
  )
}

export default async function BrandStatePage({ params }: BrandParams) {
  const { viewer, brand, writes } = await showBrand((await params).id)
  const archives = may(viewer, 'brands.archive', brand.id)
  if (brand.archivedAt) {
    return (
      <Card title={texts.states.archived} description={state.archivedText} className="max-w-3xl">
        {archives ? <Restore brand={brand} /> : <p className="text-faint text-sm">{state.notYours}</p>}
      </Card>
    )
  }
  const use = await countBrandUse(viewer, brand.id)
  return (
    <div className="max-w-3xl space-y-6">
      <Card
        title={brand.enabled ? texts.states.enabled : texts.states.disabled}
        description={brand.enabled ? state.enabledText : state.disabledText}
      >
        {writes ? <Switch brand={brand} use={use} /> : null}
      </Card>
      <Card title={state.archiveTitle} description={state.archiveText}>
        {archives ? (
          <Archive brand={brand} use={use} />
        ) : (
          <p className="text-faint text-sm">{state.notYours}</p>
        )}
      </Card>
    </div>
  )
}
