import { ActionForm } from '#components/console/action-form.tsx'
import { HiddenField } from '#components/console/form-field.tsx'
import { FormResult } from '#components/console/form-result.tsx'
import { SubmitButton } from '#components/console/submit-button.tsx'
import { Card } from '#components/ui/card.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { AgentDetail } from '#lib/identity/agent-detail.ts'
import { findHeldKeys } from '#lib/identity/jwks.ts'
import { testConnection } from '../test-connection.tsx'
import { texts } from '../texts.ts'

const { connection: words } = texts

function Held({ agent }: { agent: AgentDetail }) {
  const held = findHeldKeys(agent)
  if (!held || held.fetchedAt === 0) return <p className="text-faint text-sm">{words.notHeld}</p>
  return (
    <p className="text-faint text-sm">
      {words.held(held.kids.length)} <RelativeTime at={new Date(held.fetchedAt).toISOString()} />.{' '}
      {held.fault ? words.heldFault : null}
    </p>
  )
}

/** The keys that a personal agent's requests are verified with, and a look at its JWKS now. */
export function Connection({ agent }: { agent: AgentDetail }) {
  return (
    <Card title={words.title} description={words.description}>
      <ActionForm action={testConnection} warnUnsaved={false} className="space-y-4">
        <HiddenField name="id" value={agent.id} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <SubmitButton variant="secondary">{words.test}</SubmitButton>
          <Held agent={agent} />
        </div>
        <FormResult label={words.result} />
      </ActionForm>
    </Card>
  )
}
