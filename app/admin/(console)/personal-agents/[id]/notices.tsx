import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Alert } from '#components/ui/alert.tsx'
import type { AgentDetail } from '#lib/identity/agent-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { makeRegistered } from '../actions.ts'
import { texts } from '../texts.ts'

const { detail: words } = texts

type Props = {
  agent: AgentDetail
  failing: boolean
  trust: 'allowlist' | 'open' | undefined
  mayWrite: boolean
}

/** What should be known of a personal agent first. */
export function AgentNotices({ agent, failing, trust, mayWrite }: Props) {
  const { id, enabled, origin, name } = agent
  return (
    <>
      {enabled ? null : (
        <Alert kind="warning" title={words.disabledTitle}>
          {words.disabled}
        </Alert>
      )}
      {failing ? (
        <Alert kind="danger" title={words.failingTitle}>
          {words.failing}
        </Alert>
      ) : null}
      {origin === 'discovered' ? (
        <Alert
          title={words.discoveredTitle}
          actions={
            mayWrite ? (
              <ConfirmAction
                action={makeRegistered}
                fields={{ id }}
                size="small"
                label={words.makeRegistered}
                title={words.makeRegisteredTitle(makeVisible(name))}
                description={words.makeRegisteredText}
                confirmLabel={words.makeRegistered}
                danger={false}
              />
            ) : null
          }
        >
          {words.discovered} {trust === 'allowlist' && enabled ? words.discoveredRefused : null}
        </Alert>
      ) : null}
    </>
  )
}
