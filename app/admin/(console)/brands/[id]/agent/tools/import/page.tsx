import { notFound } from 'next/navigation'
import type { BrandParams } from '../../../shown-brand.ts'
import { showAgent } from '../../shown-agent.ts'
import { ImportTools } from './import-tools.tsx'

export const dynamic = 'force-dynamic'

export default async function ImportPage({ params }: BrandParams) {
  const { id } = await params
  const { draft, writes } = await showAgent(id)
  if (!writes) notFound()
  const scopes = (draft.brand.settings.delegation?.scopes ?? []).map(({ id: scope }) => scope)
  return <ImportTools id={id} version={draft.number} scopes={scopes} />
}
