import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { brandHref } from '#components/console/brand-href.ts'
import { PageHeader } from '#components/ui/page-header.tsx'
import { may } from '#lib/access/permissions.ts'
import { listVisibleBrands } from '#lib/access/visible-brands.ts'
import {
  countAgentUse,
  findAgentDetail,
  findProviderDefaults,
  isFailing,
  listAgentRefusals,
} from '#lib/identity/agent-detail.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { requirePermission } from '../../../viewer.ts'
import { AgentOrigin, AgentState } from '../state.tsx'
import { texts } from '../texts.ts'
import { AgentActions } from './agent-actions.tsx'
import { Connection } from './connection.tsx'
import { AgentFacts } from './facts.tsx'
import { ForDevelopers } from './for-developers.tsx'
import { AgentNotices } from './notices.tsx'
import { AgentRefusals } from './refusals.tsx'
import { TokenCheck } from './token-check.tsx'

export const dynamic = 'force-dynamic'
export const metadata: Metadata = { title: texts.title }

const LIST = '/admin/personal-agents'

type Props = {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

export default async function PersonalAgentPage({ params, searchParams }: Props) {
  const viewer = await requirePermission('personal-agents.read')
  const { id } = await params
  const { brand: asked } = await searchParams
  const brand = typeof asked === 'string' ? asked : undefined
  const agent = await findAgentDetail(viewer, id)
  if (!agent) notFound()
  const mayWrite = may(viewer, 'personal-agents.write')
  const [use, defaults, failing, refusals, brands] = await Promise.all([
    countAgentUse(viewer, agent.id),
    findProviderDefaults(viewer),
    isFailing(viewer, agent.id),
    listAgentRefusals(viewer, agent.id),
    listVisibleBrands(viewer),
  ])
  const name = makeVisible(agent.name)
  return (
    <>
      <PageHeader
        crumbs={[{ label: texts.title, href: brandHref(LIST, brand) }, { label: name }]}
        title={<bdi>{name}</bdi>}
        description={
          <span className="flex flex-wrap gap-2">
            <AgentState enabled={agent.enabled} failing={failing} /> <AgentOrigin origin={agent.origin} />
          </span>
        }
        actions={
          mayWrite ? (
            <AgentActions agent={agent} use={use} editHref={brandHref(`${LIST}/${agent.id}/edit`, brand)} />
          ) : null
        }
      />
      <div className="space-y-6">
        <AgentNotices agent={agent} failing={failing} trust={defaults?.trust} mayWrite={mayWrite} />
        <AgentFacts agent={agent} defaults={defaults?.limits} />
        <Connection agent={agent} />
        <TokenCheck agentId={agent.id} />
        <AgentRefusals refusals={refusals} agentId={agent.id} />
        <ForDevelopers issuer={agent.issuer} audience={defaults?.audience} brands={brands} />
      </div>
    </>
  )
}
