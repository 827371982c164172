import { Badge } from '#components/ui/badge.tsx'
import { texts } from './texts.ts'

/** Whether a personal agent is let in, and whether its keys can be had. */
export function AgentState({ enabled, failing }: { enabled: boolean; failing: boolean }) {
  if (!enabled) return <Badge>{texts.disabled}</Badge>
  return failing ? (
    <Badge state="danger">{texts.failing}</Badge>
  ) : (
    <Badge state="active">{texts.enabled}</Badge>
  )
}

export function AgentOrigin({ origin }: { origin: 'registered' | 'discovered' }) {
  return <Badge state={origin === 'discovered' ? 'info' : 'neutral'}>{texts.origins[origin]}</Badge>
}
