import { z } from 'zod'
import { listOwnTokens, revokeOwnToken } from '#lib/access/api-tokens.ts'
import { changed, time } from '../answer-parts.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'

const token = named(
  'ApiToken',
  z.object({
    id: z.string(),
    name: z.string(),
    prefix: z.string(),
    permissions: z.array(z.string()),
    brandId: z.string().nullable(),
    createdAt: time,
    expiresAt: time,
    lastUsedAt: time.nullable(),
    /** Whether it is the one that asks. */
    current: z.boolean(),
  }),
)
const of = { tag: 'API tokens', at: 'anywhere' } as const

export function tokenOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listTokens',
      method: 'GET',
      path: '/tokens',
      summary: 'The owner’s API tokens that were not revoked, the newest first',
      description: 'A token of one Brand sees those of that Brand. Tokens are made in the console.',
      permission: 'api-tokens.read',
      answer: named('TokenList', z.object({ data: z.array(token) })),
      async run({ caller: { viewer, tokenId } }) {
        const data = await listOwnTokens(viewer)
        return { body: { data: data.map((each) => ({ ...each, current: each.id === tokenId })) } }
      },
    }),
    operation({
      ...of,
      id: 'revokeToken',
      method: 'POST',
      path: '/tokens/{tokenId}/revoke',
      summary: 'Ends one of the owner’s API tokens at once',
      permission: 'api-tokens.write',
      params: z.object({ tokenId: z.uuid() }),
      answer: changed,
      run: async ({ params: { tokenId }, caller: { viewer, actor } }) => ({
        body: { changed: await revokeOwnToken(viewer, actor, tokenId) },
      }),
    }),
  ]
}
