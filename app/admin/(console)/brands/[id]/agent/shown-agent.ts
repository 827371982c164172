import 'server-only'
import { cache } from 'react'
import { getAgentDraft } from '#lib/provisioning/agent-drafts.ts'
import { orNotFound } from '../../../../viewer.ts'
import { showBrand } from '../shown-brand.ts'

/** The agent that a page edits, and who looks at it. Read once a request. */
export const showAgent = cache(async (id: string) => {
  const { viewer, writes } = await showBrand(id)
  const draft = await orNotFound(getAgentDraft(viewer, id))
  return { viewer, writes: writes && draft.brand.archivedAt === null, draft }
})
