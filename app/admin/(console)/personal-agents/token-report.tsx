import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { CodeBlock } from '#components/ui/code-block.tsx'
import type { ExplainedRule, ExplainedToken } from '#lib/identity/explain-token.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { textOfReason } from '../refusals/reason-texts.ts'
import { texts } from './texts.ts'
import { ruleTexts } from './token-texts.ts'

const { check: words } = texts
const badges = { pass: 'active', fail: 'danger', not_reached: 'neutral' } as const

function Value({ label, text }: { label: string; text: string | undefined }) {
  if (text === undefined) return null
  return (
    <p>
      <span className="text-faint">{label}:</span>{' '}
      <bdi className="break-all font-mono text-xs">{makeVisible(text)}</bdi>
    </p>
  )
}

/** How long ago or ahead a time of the token was when it was checked. */
function describeTime({ rule, secondsAgo }: ExplainedRule): string | undefined {
  if (secondsAgo === undefined || (rule !== 'not_expired' && rule !== 'not_in_future')) return undefined
  return secondsAgo >= 0 ? words.ago(secondsAgo) : words.ahead(-secondsAgo)
}

function Why({ row, kids }: { row: ExplainedRule; kids: readonly string[] }) {
  const { outcome, reason, found, expected, rule } = row
  if (outcome === 'not_reached') return <span className="text-faint">{words.notReached}</span>
  const failed = outcome === 'fail'
  return (
    <div className="space-y-1 text-left">
      {reason ? <p>{textOfReason(reason).advice}</p> : null}
      <Value label={words.found} text={found} />
      {failed ? <Value label={words.expected} text={expected} /> : null}
      {failed && rule === 'key' ? <Value label={words.kids} text={kids.join(', ') || '–'} /> : null}
      {failed ? <p>{describeTime(row)}</p> : null}
    </div>
  )
}

function columnsOf(kids: readonly string[]): Column<ExplainedRule>[] {
  const { columns, outcomes } = words
  return [
    {
      id: 'outcome',
      header: columns.outcome,
      cell: ({ outcome }) => <Badge state={badges[outcome]}>{outcomes[outcome]}</Badge>,
    },
    { id: 'rule', header: columns.rule, cell: ({ rule }) => ruleTexts[rule] },
    { id: 'why', header: columns.why, cell: (row) => <Why row={row} kids={kids} /> },
  ]
}

/** One sentence about a token that was checked. */
export function summarizeToken({ rules }: ExplainedToken): string {
  const failed = rules.filter(({ outcome }) => outcome === 'fail').length
  return failed === 0 ? words.accepted : words.refused(failed)
}

function Part({ label, value }: { label: string; value: object }) {
  if (Object.keys(value).length === 0) return null
  return (
    <div className="min-w-0 space-y-1">
      <h3 className="font-medium text-sm">{label}</h3>
      <CodeBlock label={label}>
        {JSON.stringify(value, null, 2).split('\n').map(makeVisible).join('\n')}
      </CodeBlock>
    </div>
  )
}

/** Every rule on a token, what became of it, and what the token says. */
export function TokenReport({ token, agentId }: { token: ExplainedToken; agentId: string }) {
  const { rules, kids, header, claims, personalAgentId } = token
  return (
    <div className="space-y-4">
      {personalAgentId !== undefined && personalAgentId !== agentId ? (
        <Alert kind="warning" title={words.other} />
      ) : null}
      <DataTable
        caption={words.caption}
        columns={columnsOf(kids)}
        rows={rules}
        rowKey={({ rule }) => rule}
        empty={null}
      />
      <div className="grid gap-4 lg:grid-cols-2">
        <Part label={words.header} value={header} />
        <Part label={words.claims} value={claims} />
      </div>
    </div>
  )
}
