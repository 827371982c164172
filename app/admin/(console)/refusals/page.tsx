import Link from 'next/link'
import { z } from 'zod'
import { DataTable } from '#components/console/data-table.tsx'
import { EmptyState } from '#components/ui/empty-state.tsx'
import { Field } from '#components/ui/field.tsx'
import { FilterBar } from '#components/ui/filter-bar.tsx'
import { NativeSelect } from '#components/ui/native-select.tsx'
import { PageHeader } from '#components/ui/page-header.tsx'
import { RelativeTime } from '#components/ui/time.tsx'
import { listRefusals } from '#lib/access/refusals.ts'
import { refusalReasons } from '#lib/identity/caller.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../viewer.ts'
import { textOfReason } from './texts.ts'

export const dynamic = 'force-dynamic'
export const metadata = { title: 'Refused requests' }

const hourOptions = [
  { value: '1', label: 'The last hour' },
  { value: '24', label: 'The last 24 hours' },
  { value: '168', label: 'The last 7 days' },
  { value: '720', label: 'The last 30 days' },
]
const reasons = [...refusalReasons, 'delegation_token', 'rate_limited'] as const

const querySchema = z.object({
  hours: z.enum(['1', '24', '168', '720']).catch('24'),
  reason: z.enum(reasons).optional().catch(undefined),
  agent: z.uuid().optional().catch(undefined),
})

export default async function Refusals({ searchParams }: { searchParams: Promise<unknown> }) {
  const viewer = await requirePermission('refusals.read')
  const { hours, reason, agent } = querySchema.parse(await searchParams)
  const rows = await listRefusals(viewer, {
    hours: Number(hours),
    ...(reason ? { reason } : {}),
    ...(agent ? { personalAgentId: agent } : {}),
  })
  return (
    <>
      <PageHeader
        title="Refused requests"
        description="Who was answered 401 or 429, and why. The caller is never told the reason; tokens and Users are not kept."
      />
      <FilterBar path="/admin/refusals" keep={agent ? { agent } : {}} active={Boolean(reason ?? agent)}>
        <Field name="hours" label="Time">
          {(control) => <NativeSelect {...control} options={hourOptions} defaultValue={hours} />}
        </Field>
        <Field name="reason" label="Reason">
          {(control) => (
            <NativeSelect
              {...control}
              options={[
                { value: '', label: 'Every reason' },
                ...reasons.map((value) => ({ value, label: textOfReason(value).title })),
              ]}
              defaultValue={reason ?? ''}
            />
          )}
        </Field>
      </FilterBar>
      <DataTable
        caption="Refused requests by personal agent and reason"
        rows={rows}
        rowKey={(row) => `${row.personalAgentId} ${row.reason}`}
        columns={[
          {
            id: 'agent',
            header: 'Personal agent',
            cell: ({ personalAgent, personalAgentId }) =>
              personalAgent ? (
                <Link
                  href={`/admin/personal-agents/${personalAgentId}`}
                  className="underline underline-offset-2"
                >
                  <bdi>{makeVisible(personalAgent.name)}</bdi>
                  <span className="block text-faint text-sm">{new URL(personalAgent.issuer).origin}</span>
                </Link>
              ) : (
                <span className="text-faint">not recognised</span>
              ),
          },
          { id: 'reason', header: 'Reason', cell: (row) => textOfReason(row.reason).title },
          {
            id: 'advice',
            header: 'What its developer can do',
            cell: (row) => <span className="text-sm">{textOfReason(row.reason).advice}</span>,
          },
          { id: 'count', header: 'Requests', align: 'end', cell: (row) => row.count.toLocaleString('en') },
          { id: 'last', header: 'Last', cell: (row) => <RelativeTime at={row.lastHour.toISOString()} /> },
        ]}
        empty={
          <EmptyState title="No request was refused">
            <p>
              In this time every request was let in. To see what a personal agent does wrong, check its token
              on its page.
            </p>
          </EmptyState>
        }
      />
    </>
  )
}
