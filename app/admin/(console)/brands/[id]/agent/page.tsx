import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import { DescriptionList } from '#components/ui/description-list.tsx'
import type { BrandInput } from '#lib/brands/schema.ts'
import { texts } from '../../texts.ts'
import { type BrandParams, showBrand } from '../shown-brand.ts'

export const dynamic = 'force-dynamic'

const { agent: text } = texts

type Agent = BrandInput['agent']
type Rule = NonNullable<Extract<Agent, { driver: 'scripted' }>['rules']>[number]
type Tool = NonNullable<Agent['tools']>[number]

function describeCondition({ match, words, state }: Rule['when']): string {
  const parts = [
    state === undefined ? undefined : text.stateIs(state),
    match === undefined ? undefined : text.match(match),
    words === undefined ? undefined : text.words(words.join(', ')),
  ].filter((part) => part !== undefined)
  return parts.length > 0 ? parts.join(text.and) : text.always
}

function Rules({ rules }: { rules: readonly Rule[] }) {
  if (rules.length === 0) return <p className="text-faint text-sm">{text.noRules}</p>
  return (
    <ol className="divide-y divide-line text-sm">
      {rules.map(({ when, call, reply }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name, and this page never changes
        <li key={index} className="space-y-1 py-2.5">
          <p>
            <span className="text-faint">{text.when}</span> {describeCondition(when)}
          </p>
          {call ? (
            <p>
              <span className="text-faint">{text.calls}</span> {call.map(({ tool }) => tool).join(', ')}
            </p>
          ) : null}
          <p className="whitespace-pre-wrap">
            <span className="text-faint">{text.reply}</span> {reply}
          </p>
        </li>
      ))}
    </ol>
  )
}

function Tools({ tools }: { tools: readonly Tool[] }) {
  if (tools.length === 0) return <p className="text-faint text-sm">{text.noTools}</p>
  return (
    <ul className="divide-y divide-line text-sm">
      {tools.map(({ name, description, scope, changes, request }) => (
        <li key={name} className="space-y-1 py-2.5">
          <p className="flex flex-wrap items-center gap-2">
            <code className="font-medium">{name}</code>
            {scope === undefined ? null : <Badge state="info">{scope}</Badge>}
            {changes ? <Badge state="warning">{text.changes}</Badge> : null}
          </p>
          <p>{description}</p>
          <p className="break-all font-mono text-faint text-xs">
            {request.method} {request.url}
          </p>
        </li>
      ))}
    </ul>
  )
}

const lines = (value: string) => <span className="whitespace-pre-wrap">{value}</span>

function describeDriver(agent: Agent) {
  if (agent.driver === 'scripted') return [{ term: text.fallback, value: lines(agent.fallback) }]
  if (agent.driver === 'webhook') {
    const history = text.histories[agent.history ?? 'new']
    return [
      { term: text.bot, value: agent.url },
      { term: text.history, value: history },
    ]
  }
  return [
    { term: text.endpoint, value: agent.endpoint },
    { term: text.model, value: agent.model },
    { term: text.instructions, value: lines(agent.instructions) },
  ]
}

export default async function BrandAgent({ params }: BrandParams) {
  const { brand } = await showBrand((await params).id)
  const { agent } = brand.settings
  return (
    <div className="max-w-3xl space-y-6">
      <Card title={text.title} description={text.hint}>
        <DescriptionList
          items={[
            { term: text.driver, value: agent.driver },
            { term: text.timeLimit, value: text.seconds(agent.timeLimitSeconds ?? 0) },
            ...describeDriver(agent),
          ]}
        />
      </Card>
      {agent.driver === 'scripted' ? (
        <Card title={text.rules} description={text.rulesHint}>
          <Rules rules={agent.rules ?? []} />
        </Card>
      ) : null}
      <Card title={text.tools}>
        <Tools tools={agent.tools ?? []} />
      </Card>
    </div>
  )
}
