import Link from 'next/link'
import { z } from 'zod'
import { ConfirmAction } from '#components/console/confirm-action.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Card } from '#components/ui/card.tsx'
import {
  Cell,
  HeaderCell,
  Table,
  TableBody,
  TableHead,
  TableRegion,
  TableRow,
} from '#components/ui/table.tsx'
import { Time } from '#components/ui/time.tsx'
import { getAgentVersion, type ListedVersion, listAgentVersions } from '#lib/brands/agent-versions.ts'
import type { SearchParams } from '../../../../../search-params.ts'
import { orNotFound } from '../../../../../viewer.ts'
import type { BrandParams } from '../../shown-brand.ts'
import { DifferenceOfAgents } from '../agent-difference.tsx'
import { showAgent } from '../shown-agent.ts'
import { texts } from '../texts.ts'
import { restoreVersion } from './actions.ts'

export const dynamic = 'force-dynamic'

const { versions: text } = texts

const number = z.coerce.number().int().min(1).optional().catch(undefined)
const querySchema = z.object({ compare: number, before: number })

type RowProps = { id: string; version: ListedVersion; edited: number; writes: boolean }

function VersionRow({ id, version, edited, writes }: RowProps) {
  return (
    <TableRow>
      <HeaderCell scope="row">{version.number}</HeaderCell>
      <Cell>
        <Badge state={version.published ? 'active' : 'neutral'}>
          {version.published ? text.published : text.draft}
        </Badge>
      </Cell>
      <Cell className="break-all">{version.savedBy}</Cell>
      <Cell>
        <Time at={version.savedAt.toISOString()} />
      </Cell>
      <Cell>
        {version.number === edited ? null : (
          <div className="flex flex-wrap items-center gap-3">
            <Link
              href={`/admin/brands/${id}/agent/versions?compare=${version.number}`}
              aria-label={text.compare(version.number)}
              className="text-accent underline underline-offset-4"
            >
              {text.compareShort}
            </Link>
            {writes ? (
              <ConfirmAction
                action={restoreVersion}
                fields={{ id, version: String(edited), number: String(version.number) }}
                label={text.restore}
                size="small"
                title={text.restoreTitle(version.number)}
                description={text.restoreText}
                confirmLabel={text.restore}
                danger={false}
              />
            ) : null}
          </div>
        )}
      </Cell>
    </TableRow>
  )
}

export default async function AgentVersions({
  params,
  searchParams,
}: BrandParams & { searchParams: SearchParams }) {
  const { id } = await params
  const { compare, before } = querySchema.parse(await searchParams)
  const { viewer, draft, writes } = await showAgent(id)
  const versions = await orNotFound(listAgentVersions(viewer, id, { before }))
  const compared = compare === undefined ? undefined : await orNotFound(getAgentVersion(viewer, id, compare))
  const last = versions.at(-1)
  return (
    <div className="space-y-6">
      {compared ? (
        <Card title={text.difference(compared.number)}>
          <DifferenceOfAgents before={compared.settings} after={draft.agent} />
        </Card>
      ) : null}
      <Card title={text.title} description={text.hint} flush>
        {versions.length === 0 ? <p className="px-5 pb-4 text-faint text-sm">{text.empty}</p> : null}
        <TableRegion label={text.title}>
          <Table>
            <TableHead>
              <tr>
                <HeaderCell>{text.number}</HeaderCell>
                <HeaderCell>{text.state}</HeaderCell>
                <HeaderCell>{text.by}</HeaderCell>
                <HeaderCell>{text.at}</HeaderCell>
                <HeaderCell>
                  <span className="sr-only">{text.restore}</span>
                </HeaderCell>
              </tr>
            </TableHead>
            <TableBody>
              {versions.map((version) => (
                <VersionRow
                  key={version.number}
                  id={id}
                  version={version}
                  edited={draft.number}
                  writes={writes}
                />
              ))}
            </TableBody>
          </Table>
        </TableRegion>
      </Card>
      {last && last.number > 1 ? (
        <Link
          href={`/admin/brands/${id}/agent/versions?before=${last.number}`}
          className="text-accent text-sm underline underline-offset-4"
        >
          {text.older}
        </Link>
      ) : null}
    </div>
  )
}
