import Link from 'next/link'
import { cn } from '#components/ui/class-names.ts'
import { RelativeTime, Time } from '#components/ui/time.tsx'
import { type KeyTimeline, MOST_IN_TIMELINE } from '#lib/keys/key-timeline.ts'
import { signsFrom } from '#lib/keys/lifecycle.ts'
import { KeyState } from './key-state.tsx'
import { texts } from './texts.ts'

type ShownKey = KeyTimeline['keys'][number]

const { timeline } = texts
const dots: Record<ShownKey['state'], string> = {
  next: 'bg-accent',
  active: 'bg-success',
  retired: 'bg-warning',
  removed: 'bg-faint',
  compromised: 'bg-danger',
}

function Moment({ term, at }: { term: string; at: Date | null }) {
  if (!at) return null
  return (
    <div>
      <dt className="text-faint text-xs">{term}</dt>
      <dd>
        <Time at={at.toISOString()} />{' '}
        <span className="text-faint text-xs">
          (<RelativeTime at={at.toISOString()} />)
        </span>
      </dd>
    </div>
  )
}

function Verifies({ shown: { state, use } }: { shown: ShownKey }) {
  if (state !== 'active' && state !== 'retired') return timeline.none
  return timeline.both(use, MOST_IN_TIMELINE)
}

function Entry({ shown, brandId }: { shown: ShownKey; brandId: string }) {
  const { kid, state, createdAt, activatedAt, retiredAt, endedAt } = shown
  return (
    <li className="relative pb-6 pl-7 last:pb-0">
      <span
        aria-hidden
        className={cn('absolute top-1.5 left-1 size-3 rounded-full ring-4 ring-panel', dots[state])}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <KeyState state={state} />
        <Link href={`/admin/keys/${kid}?brand=${brandId}`} className="break-all font-mono text-sm underline">
          {kid}
        </Link>
      </div>
      <p className="mt-1 text-sm">{texts.does[state]}</p>
      <dl className="mt-2 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 lg:grid-cols-3">
        <Moment term={timeline.made} at={createdAt} />
        {state === 'next' ? (
          <Moment term={timeline.maySignFrom} at={new Date(signsFrom({ createdAt: createdAt.getTime() }))} />
        ) : null}
        <Moment term={timeline.signed} at={activatedAt} />
        <Moment term={timeline.signedUntil} at={retiredAt} />
        <Moment term={timeline.ended} at={endedAt} />
        <div>
          <dt className="text-faint text-xs">{timeline.verifies}</dt>
          <dd>
            <Verifies shown={shown} />
          </dd>
        </div>
      </dl>
    </li>
  )
}

/** A Brand's keys, the newest first. */
export function Timeline({ brand, keys }: Pick<KeyTimeline, 'brand' | 'keys'>) {
  return (
    <ol className="relative before:absolute before:inset-y-2 before:left-[0.5625rem] before:w-px before:bg-line">
      {keys.map((shown) => (
        <Entry key={shown.kid} shown={shown} brandId={brand.id} />
      ))}
    </ol>
  )
}
