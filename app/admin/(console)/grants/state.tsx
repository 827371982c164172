import { Badge, type BadgeState } from '#components/ui/badge.tsx'
import type { GrantState as State } from '#lib/delegation/grant-list-schema.ts'
import { texts } from './texts.ts'

const looks: Record<State, BadgeState> = { live: 'active', expired: 'neutral', revoked: 'danger' }

export function GrantState({ state }: { state: State }) {
  return <Badge state={looks[state]}>{texts.states[state]}</Badge>
}
