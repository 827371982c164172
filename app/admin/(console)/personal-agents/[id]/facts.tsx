import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import { Time } from '#components/ui/time.tsx'
import type { AgentDetail } from '#lib/identity/agent-detail.ts'
import type { Limits } from '#lib/identity/schema.ts'
import { showUrl } from '#lib/identity/show-url.ts'
import { texts } from '../texts.ts'

const { detail: words, fields } = texts

function LimitLines({ agent, defaults }: { agent: AgentDetail; defaults: Limits }) {
  return (['perPersonalAgent', 'perUser'] as const).map((which) => {
    const own = agent.limits?.[which]
    return (
      <p key={which}>
        {words[which](own ?? defaults[which])}{' '}
        <span className="text-faint">({own ? words.own : words.providers})</span>
      </p>
    )
  })
}

/** What is registered of a personal agent. */
export function AgentFacts({ agent, defaults }: { agent: AgentDetail; defaults: Limits | undefined }) {
  const { issuer, jwksUri, createdAt, updatedAt, id } = agent
  const code = (text: string) => <span className="break-all font-mono text-xs">{text}</span>
  return (
    <Card title={words.facts}>
      <DescriptionList
        items={[
          { term: fields.issuer, value: code(showUrl(issuer)) },
          { term: fields.jwksUri, value: code(showUrl(jwksUri)) },
          ...(defaults
            ? [{ term: words.limits, value: <LimitLines agent={agent} defaults={defaults} /> }]
            : []),
          { term: words.created, value: <Time at={createdAt.toISOString()} /> },
          { term: words.updated, value: <Time at={updatedAt.toISOString()} /> },
          { term: words.id, value: code(id) },
        ]}
      />
    </Card>
  )
}
