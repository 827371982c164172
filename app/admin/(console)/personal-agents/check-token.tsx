'use server'

import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { explainToken } from '#lib/identity/explain-token.ts'
import { formAction } from '../../form-action.ts'
import { summarizeToken, TokenReport } from './token-report.tsx'

/** Longer than any token that a request may have. */
const MAX_LENGTH = 20_000

const schema = z.object({ id: z.uuid(), token: z.string().trim().min(1, 'is required').max(MAX_LENGTH) })

/** Checks a pasted token by the rules of a request. It is neither stored nor logged. */
export async function checkToken(state: FormState, data: FormData): Promise<FormState> {
  return formAction({
    permission: 'tokens.check',
    schema,
    async run({ id, token }, { viewer }) {
      const explained = await explainToken(viewer, token)
      const details = <TokenReport token={explained} agentId={id} />
      return { status: 'done', result: { summary: summarizeToken(explained), details } }
    },
  })(state, data)
}
