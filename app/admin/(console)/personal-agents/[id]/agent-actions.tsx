import Link from 'next/link'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Button } from '#components/ui/button.tsx'
import { type AgentDetail, type AgentUse, MOST_COUNTED } from '#lib/identity/agent-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { setEnabled } from '../actions.ts'
import { texts } from '../texts.ts'

const { detail: words } = texts

type Props = { agent: AgentDetail; use: AgentUse; editHref: string }

/** What an admin may do with a personal agent. */
export function AgentActions({ agent, use, editHref }: Props) {
  const { id, enabled } = agent
  const name = makeVisible(agent.name)
  return (
    <>
      {enabled ? (
        <ConfirmAction
          action={setEnabled}
          fields={{ id, enabled: 'false' }}
          label={words.disable}
          title={words.disableTitle(name)}
          description={words.disableText(use, MOST_COUNTED)}
          confirmLabel={words.disable}
        />
      ) : (
        <ConfirmAction
          action={setEnabled}
          fields={{ id, enabled: 'true' }}
          label={words.enable}
          title={words.enableTitle(name)}
          description={words.enableText}
          confirmLabel={words.enable}
          danger={false}
        />
      )}
      <Button asChild>
        <Link href={editHref}>{words.edit}</Link>
      </Button>
    </>
  )
}
