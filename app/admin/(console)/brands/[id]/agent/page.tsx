import Link from 'next/link'
import { z } from 'zod'
import { Card } from '#components/ui/card.tsx'
import type { SearchParams } from '../../../../search-params.ts'
import type { BrandParams } from '../shown-brand.ts'
import { BotForm, ModelForm, RulesForm } from './answer-forms.tsx'
import { showAgent } from './shown-agent.ts'
import { texts } from './texts.ts'
import { TryIt } from './try-it.tsx'

export const dynamic = 'force-dynamic'

const { driver: text } = texts
const drivers = ['scripted', 'llm', 'webhook'] as const
type Driver = (typeof drivers)[number]

function DriverChoice({ id, chosen, writes }: { id: string; chosen: Driver; writes: boolean }) {
  return (
    <Card title={text.title}>
      <p className="text-sm">{`${text[chosen]}. ${text[`${chosen}Hint`]}`}</p>
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

const querySchema = z.object({ driver: z.enum(drivers).optional().catch(undefined) })

type Props = BrandParams & { searchParams: SearchParams }

export default async function BrandAgent({ params, searchParams }: Props) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  const { agent } = draft
  const asked = querySchema.parse(await searchParams).driver
  const chosen = (writes ? asked : undefined) ?? agent.driver
  const key = `${chosen} ${draft.number}`
  const scopes = (draft.brand.settings.delegation?.scopes ?? []).map(({ id: scope }) => scope)
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="space-y-6">
        <DriverChoice id={id} chosen={chosen} writes={writes} />
        {chosen === 'llm' ? (
          <ModelForm
            key={key}
            draft={draft}
            agent={agent.driver === 'llm' ? agent : undefined}
            writes={writes}
          />
        ) : null}
        {chosen === 'webhook' ? (
          <BotForm
            key={key}
            draft={draft}
            agent={agent.driver === 'webhook' ? agent : undefined}
            writes={writes}
          />
        ) : null}
        {chosen === 'scripted' ? (
          <RulesForm
            key={key}
            draft={draft}
            agent={agent.driver === 'scripted' ? agent : undefined}
            writes={writes}
          />
        ) : null}
      </div>
      {/* A bot can't tell a rehearsal from its work: it is tried where it is written. */}
      {writes && agent.driver !== 'webhook' ? (
        <TryIt id={id} scopes={scopes} hasModel={agent.driver === 'llm'} />
      ) : null}
    </div>
  )
}
