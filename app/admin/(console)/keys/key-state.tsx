import { Badge, type BadgeState } from '#components/ui/badge.tsx'
import type { SigningKeyState } from '#lib/keys/lifecycle.ts'
import { texts } from './texts.ts'

const looks: Record<SigningKeyState, BadgeState> = {
  next: 'info',
  active: 'active',
  retired: 'warning',
  removed: 'neutral',
  compromised: 'danger',
}

/** A key's state in one word. */
export function KeyState({ state }: { state: SigningKeyState }) {
  return <Badge state={looks[state]}>{texts.states[state]}</Badge>
}
