import { Badge } from '#components/ui/badge.tsx'
import { texts } from './texts.ts'

type Props = { state: 'open' | 'closed'; closedBy?: keyof typeof texts.closedBy | undefined }

export function ConversationState({ state, closedBy }: Props) {
  if (state === 'open') return <Badge state="active">{texts.open}</Badge>
  return <Badge>{closedBy ? texts.closedBy[closedBy] : texts.closed}</Badge>
}
