import type { AuditEvent } from '#lib/access/list-audit.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { describeAction } from './action-texts.ts'
import { texts } from './texts.ts'

type Brand = Pick<AuditEvent, 'brandId' | 'brandName'>

/** What an event concerns: a Brand by its name, or the Provider. */
export function ConcernedBrand({ brandId, brandName }: Brand) {
  if (brandId === null) return <span className="text-faint">{texts.provider}</span>
  return <bdi>{brandName === null ? `${texts.goneBrand} (${brandId})` : makeVisible(brandName)}</bdi>
}

/** What was done, in words; as the log calls it, on hover (the event's own page shows that, too) and where there are no words for it. */
export function ActionName({ action }: { action: string }) {
  const words = describeAction(action)
  if (words !== undefined) return <span title={action}>{words}</span>
  return <code className="break-words font-mono text-sm">{makeVisible(action)}</code>
}
