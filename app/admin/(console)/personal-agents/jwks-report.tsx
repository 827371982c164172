import { DataTable } from '#components/console/data-table.tsx'
import type { Column } from '#components/console/table-column.ts'
import { Alert } from '#components/ui/alert.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import type { InspectedJwks, InspectedKey } from '#lib/identity/inspect-jwks.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { texts } from './texts.ts'

const { connection: words, fetchFaults } = texts

type Row = InspectedKey & { position: number }

function shown(text: string | undefined, absent: string) {
  return text ? <bdi className="break-all font-mono text-xs">{makeVisible(text)}</bdi> : absent
}

function Verdict({ fault, warnings }: InspectedKey) {
  const texts = [
    ...(fault ? [words.faults[fault]] : []),
    ...warnings.map((warning) => words.warnings[warning]),
  ]
  const state = fault ? 'danger' : warnings.length > 0 ? 'warning' : 'active'
  return (
    <div className="space-y-1">
      <Badge state={state}>{fault ? words.unusable : words.usable}</Badge>
      {texts.map((text) => (
        <p key={text} className="max-w-prose text-sm">
          {text}
        </p>
      ))}
    </div>
  )
}

function columnsOf(held: readonly (string | undefined)[]): Column<Row>[] {
  const { columns } = words
  return [
    { id: 'kid', header: columns.kid, cell: ({ kid }) => shown(kid, words.noKid) },
    {
      id: 'type',
      header: columns.type,
      cell: ({ type, bits }) => (
        <>
          {shown(type, '–')} {bits ? <span className="text-faint text-xs">{words.bits(bits)}</span> : null}
        </>
      ),
    },
    { id: 'alg', header: columns.alg, cell: ({ alg }) => shown(alg, '–') },
    { id: 'use', header: columns.use, cell: ({ use }) => shown(use, '–') },
    {
      id: 'age',
      header: columns.age,
      cell: ({ issuedAt, kid, fault }) => (
        <>
          {issuedAt ? <RelativeTime at={issuedAt.toISOString()} /> : null}{' '}
          {fault ? null : (
            <span className="text-faint text-xs">{held.includes(kid) ? words.inUse : words.fresh}</span>
          )}
        </>
      ),
    },
    { id: 'verdict', header: columns.verdict, cell: (row) => <Verdict {...row} /> },
  ]
}

/** One sentence about a JWKS that was fetched, or was not. */
export function summarize(jwks: InspectedJwks): string {
  if (!jwks.ok) return words.failed
  const usable = jwks.keys.filter(({ fault }) => fault === undefined).length
  return usable === 0 ? words.none : words.good(usable, jwks.milliseconds)
}

/**
 * What a JWKS holds and what is wrong with it.
 *
 * @param props.held the `kid`s of the keys that requests are verified with now
 */
export function JwksReport({
  jwks,
  held = [],
}: {
  jwks: InspectedJwks
  held?: readonly (string | undefined)[]
}) {
  if (!jwks.ok) {
    const { detail, status, milliseconds } = jwks
    return (
      <Alert kind="danger" title={fetchFaults[detail]}>
        {detail === 'status' && status !== undefined ? `${texts.status(status)} ` : ''}
        {words.took(milliseconds)}
      </Alert>
    )
  }
  return (
    <DataTable
      caption={words.caption}
      columns={columnsOf(held)}
      rows={jwks.keys.map((key, position) => ({ ...key, position }))}
      rowKey={({ position }) => String(position)}
      empty={<Alert kind="danger" title={words.none} />}
    />
  )
}
