import type { ReactNode } from 'react'
import { TabLinks } from '#components/console/tab-links.tsx'
import { Alert } from '#components/ui/alert.tsx'
import type { BrandParams } from '../shown-brand.ts'
import { showAgent } from './shown-agent.ts'
import { texts } from './texts.ts'

const { tabs, state } = texts

export default async function AgentLayout({ params, children }: BrandParams & { children: ReactNode }) {
  const { id } = await params
  const { draft } = await showAgent(id)
  const at = `/admin/brands/${id}/agent`
  return (
    <>
      <TabLinks
        label={tabs.label}
        links={[
          { href: at, label: tabs.answers },
          { href: `${at}/tools`, label: tabs.tools, deep: true },
          { href: `${at}/checks`, label: tabs.checks },
          { href: `${at}/versions`, label: tabs.versions },
          { href: `${at}/publish`, label: tabs.publish },
        ]}
      />
      <Alert className="mb-6" kind={draft.isDraft ? 'warning' : 'info'}>
        {draft.isDraft ? state.draft(draft.number) : state.published}
      </Alert>
      {children}
    </>
  )
}
