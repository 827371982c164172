'use client'

import { Card } from '#components/ui/card.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import { Tabs } from '#components/ui/tabs.tsx'
import type { AgentCard } from '#lib/protocol/agent-card.ts'
import { texts } from './texts.ts'

export type PreviewCard = AgentCard

const { preview } = texts

function scopesOf({ securitySchemes }: PreviewCard): [string, string][] | undefined {
  if (!('userDelegation' in securitySchemes)) return undefined
  return Object.entries(securitySchemes.userDelegation.oauth2SecurityScheme.flows.deviceCode.scopes)
}

function Skills({ skills }: Pick<PreviewCard, 'skills'>) {
  if (skills.length === 0) return <p className="text-faint">{preview.noSkills}</p>
  return (
    <>
      <h3 className="font-medium">{preview.skills}</h3>
      <ul className="space-y-2">
        {skills.map(({ id, name, description, examples }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: while somebody types, two rows may be alike
          <li key={index}>
            <bdi className="font-medium">{name || id}</bdi>
            <p className="whitespace-pre-line text-faint">{description}</p>
            {examples.length > 0 ? (
              <p className="text-faint">
                {preview.examples}: {examples.map((example) => `“${example}”`).join(', ')}
              </p>
            ) : null}
          </li>
        ))}
      </ul>
    </>
  )
}

function AsPerson({ card }: { card: PreviewCard }) {
  const scopes = scopesOf(card)
  return (
    <div className="space-y-3 break-words text-sm">
      <div>
        <p className="font-semibold text-lg">
          <bdi>{card.name || preview.unnamed}</bdi>
        </p>
        <p className="text-faint">
          {preview.by} <bdi>{card.provider.organization}</bdi>
        </p>
      </div>
      <p className="whitespace-pre-line">{card.description}</p>
      <Skills skills={card.skills} />
      {scopes ? (
        <>
          <h3 className="font-medium">{preview.scopes}</h3>
          <ul className="list-disc space-y-1 pl-5">
            {scopes.map(([id, description]) => (
              <li key={id}>
                <bdi>{description}</bdi> <code className="text-faint text-xs">{id}</code>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p className="text-faint">{preview.identityOnly}</p>
      )}
      <p className="text-faint">
        {preview.address}: <span className="break-all">{card.supportedInterfaces[0]?.url}</span>
      </p>
    </div>
  )
}

/** A Brand's Agent Card as it would be, for people and for machines. */
export function CardPreview({ card }: { card: PreviewCard }) {
  return (
    <Card title={preview.title} className="lg:sticky lg:top-20">
      <Tabs
        label={preview.title}
        tabs={[
          { value: 'person', label: preview.person, content: <AsPerson card={card} /> },
          {
            value: 'json',
            label: preview.json,
            content: <CodeBlock label={preview.json}>{JSON.stringify(card, null, 2)}</CodeBlock>,
          },
        ]}
      />
    </Card>
  )
}
