'use server'

import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { findAgentDetail } from '#lib/identity/agent-detail.ts'
import { inspectJwks } from '#lib/identity/inspect-jwks.ts'
import { findHeldKeys } from '#lib/identity/jwks.ts'
import { formAction } from '../../form-action.ts'
import { JwksReport, summarize } from './jwks-report.tsx'
import { texts } from './texts.ts'

/** Fetches a personal agent's JWKS now, and says what is in it. */
export async function testConnection(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'personal-agents.read',
    schema: z.object({ id: z.uuid() }),
    async run({ id }, { viewer }) {
      const agent = await findAgentDetail(viewer, id)
      if (!agent) return { status: 'failed', message: texts.detail.gone }
      const jwks = await inspectJwks(agent.jwksUri)
      const details = <JwksReport jwks={jwks} held={findHeldKeys(agent)?.kids ?? []} />
      return { status: 'done', result: { summary: summarize(jwks), details } }
    },
  })(state, data)
}
