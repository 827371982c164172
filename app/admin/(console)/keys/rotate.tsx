import { ConfirmAction } from '#components/console/confirm-action.tsx'
import type { KeyTimeline } from '#lib/keys/key-timeline.ts'
import { rotateAction } from './actions.ts'
import { texts } from './texts.ts'

const { rotate } = texts

function ordinary(keys: KeyTimeline['keys']) {
  const has = (state: string) => keys.some((key) => key.state === state)
  if (!has('active') && !has('next')) {
    return { title: rotate.noneTitle, description: rotate.none, confirmLabel: rotate.make }
  }
  return has('next')
    ? { title: rotate.secondTitle, description: rotate.second, confirmLabel: rotate.activate }
    : { title: rotate.firstTitle, description: rotate.first, confirmLabel: rotate.publish }
}

/** The buttons that rotate a Brand's key, in order or at once. */
export function RotateButtons({ brand, keys }: Pick<KeyTimeline, 'brand' | 'keys'>) {
  return (
    <>
      {keys.some(({ state }) => state === 'active') ? (
        <ConfirmAction
          action={rotateAction}
          fields={{ brandId: brand.id, force: '1' }}
          label={rotate.forceButton}
          variant="ghost"
          title={rotate.forceTitle}
          description={rotate.force}
          confirmLabel={rotate.forceConfirm}
        />
      ) : null}
      <ConfirmAction
        action={rotateAction}
        fields={{ brandId: brand.id }}
        label={rotate.button}
        variant="primary"
        danger={false}
        {...ordinary(keys)}
      />
    </>
  )
}
