import { Badge } from '#components/ui/badge.tsx'
import { texts } from './texts.ts'

/** Whether a Brand is enabled, disabled or put away. */
export function BrandState({ brand }: { brand: { enabled: boolean; archivedAt: Date | null } }) {
  if (brand.archivedAt) return <Badge state="neutral">{texts.states.archived}</Badge>
  return brand.enabled ? (
    <Badge state="active">{texts.states.enabled}</Badge>
  ) : (
    <Badge state="warning">{texts.states.disabled}</Badge>
  )
}
