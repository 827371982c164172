import Link from 'next/link'
import { z } from 'zod'
import { Card } from '#components/ui/card.tsx'
import type { AgentDraft } from '#lib/provisioning/agent-drafts.ts'
import type { SearchParams } from '../../../../search-params.ts'
import { Renewed } from '../../renewed.tsx'
import type { BrandParams } from '../shown-brand.ts'
import { BotForm, ModelForm, RulesForm } from './answer-forms.tsx'
import { showAgent } from './shown-agent.ts'
import { texts } from './texts.ts'
import { TryIt } from './try-it.tsx'

export const dynamic = 'force-dynamic'

const { driver: text } = texts
const drivers = ['scripted', 'llm', 'webhook'] as const
type Driver = (typeof drivers)[number]

const hints = { scripted: text.scriptedHint, llm: text.llmHint, webhook: text.webhookHint }

function DriverChoice({ id, chosen, writes }: { id: string; chosen: Driver; writes: boolean }) {
  return (
    <Card title={text.title}>
      <p className="text-sm">
        {text[chosen]}. {hints[chosen]}
      </p>
      {writes ? (
        <p className="mt-2 flex flex-wrap gap-4 text-sm">
          {drivers
            .filter((each) => each !== chosen)
            .map((each) => (
              <Link
                key={each}
                href={`/admin/brands/${id}/agent?driver=${each}`}
                className="text-accent underline underline-offset-4"
              >
                {text.other(text[each].toLowerCase())}
              </Link>
            ))}
        </p>
      ) : null}
    </Card>
  )
}

type FormProps = { chosen: Driver; draft: AgentDraft; writes: boolean }

function Form({ chosen, draft, writes }: FormProps) {
  const { agent } = draft
  const rest = { draft, writes }
  if (chosen === 'llm') return <ModelForm {...rest} agent={agent.driver === 'llm' ? agent : undefined} />
  if (chosen === 'webhook') {
    return <BotForm {...rest} agent={agent.driver === 'webhook' ? agent : undefined} />
  }
  return <RulesForm {...rest} agent={agent.driver === 'scripted' ? agent : undefined} />
}

const querySchema = z.object({ driver: z.enum(drivers).optional().catch(undefined) })

type Props = BrandParams & { searchParams: SearchParams }

export default async function BrandAgent({ params, searchParams }: Props) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  const { agent } = draft
  const asked = querySchema.parse(await searchParams).driver
  const chosen = (writes ? asked : undefined) ?? agent.driver
  const scopes = (draft.brand.settings.delegation?.scopes ?? []).map(({ id: scope }) => scope)
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-6">
        <DriverChoice id={id} chosen={chosen} writes={writes} />
        <Renewed key={chosen} version={draft.number}>
          <Form chosen={chosen} draft={draft} writes={writes} />
        </Renewed>
      </div>
      {writes ? <TryIt id={id} scopes={scopes} driver={agent.driver} /> : null}
    </div>
  )
}
