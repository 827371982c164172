import { z } from 'zod'
import type { TokenCaller } from '#lib/access/find-api-token.ts'
import { getGrantDetail } from '#lib/delegation/find-grant-detail.ts'
import type { ShownPage } from '#lib/delegation/grant-consents.ts'
import {
  grantFilterSchema,
  grantStates,
  type MatchingGrants,
  matchingGrantsSchema,
} from '#lib/delegation/grant-list-schema.ts'
import { listGrants } from '#lib/delegation/list-grants.ts'
import {
  countRevocable,
  revokeGrantByConsole,
  revokeNextMatching,
} from '#lib/delegation/revoke-by-console.ts'
import { brandRef, changed, personalAgentRef, time } from '../answer-parts.ts'
import { strictFilter, timePage, timePageReply } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'

const GRANT_ID = /^[\w-]{1,100}$/

const facts = {
  id: z.string(),
  brand: brandRef,
  personalAgent: personalAgentRef,
  subject: z.string(),
  brandUserId: z.string(),
  state: z.enum(grantStates),
  createdAt: time,
  expiresAt: time,
  lastUsedAt: time.optional(),
}
const listed = named('ListedGrant', z.object({ ...facts, scopes: z.array(z.string()) }))

const change = z.object({
  at: time,
  kind: z.string(),
  by: z.string(),
  actor: z.string().optional(),
  scopesBefore: z.array(z.string()),
  scopesAfter: z.array(z.string()),
})
const consent = z.object({
  id: z.string(),
  decidedAt: time,
  scopes: z.array(z.string()),
  /** What the User was shown, word for word. */
  shown: z.custom<ShownPage>().optional(),
})
const tokens = z.object({
  count: z.number(),
  latest: z.array(
    z.object({
      issuedAt: time,
      expiresAt: time,
      usedAt: time.optional(),
      scopes: z.array(z.string()),
      state: z.string(),
    }),
  ),
})
const receipts = z.object({
  count: z.number(),
  latest: z.array(
    z.object({
      id: z.string(),
      issuedAt: time,
      scopesUsed: z.array(z.string()).readonly(),
      tools: z.array(z.string()),
    }),
  ),
})
const grant = named(
  'Grant',
  z.object({
    ...facts,
    revokedAt: time.optional(),
    revokedBy: z.string().optional(),
    notBefore: time.optional(),
    scopes: z.array(
      z.object({ id: z.string(), description: z.string().optional(), lastUsedAt: time.optional() }),
    ),
    changes: z.array(change),
    consents: z.array(consent),
    tokens,
    receipts,
  }),
)

const params = z.object({ grantId: z.string().regex(GRANT_ID) })
const of = { tag: 'Grants', at: 'anywhere' } as const

/** For how long one call goes on revoking, in milliseconds: it is answered well before a client gives up. */
const PATIENCE = 15_000

async function revokeAll({ viewer, actor }: TokenCaller, matching: MatchingGrants) {
  const until = performance.now() + PATIENCE
  let revoked = 0
  let after: string | undefined
  do {
    const batch = await revokeNextMatching(viewer, actor, { ...matching, after })
    revoked += batch.count
    after = batch.last
  } while (after !== undefined && performance.now() < until)
  return { count: revoked, complete: after === undefined, countedAt: matching.countedAt }
}

const matching = named(
  'MatchingGrants',
  matchingGrantsSchema
    .partial({ countedAt: true })
    .extend({ dryRun: z.boolean().default(false) })
    .refine(({ dryRun, countedAt }) => dryRun || countedAt !== undefined, {
      path: ['countedAt'],
      message: 'is required: send what a `dryRun` has answered',
    }),
)

function matchingOperation(): Operation {
  return operation({
    ...of,
    id: 'revokeMatchingGrants',
    method: 'POST',
    path: '/grants/revoke-matching',
    summary: 'Revokes all live grants that match a filter',
    description:
      'With `dryRun` they are only counted, up to 10,001; `countedAt` of that answer must be sent to revoke them, so that grants that are given later stay. While the answer is not `complete`, send the same again.',
    permission: 'grants.revoke',
    body: matching,
    example: { user: 'jane-4471', dryRun: true },
    answer: named('RevokedGrants', z.object({ count: z.number(), complete: z.boolean(), countedAt: time })),
    async run({ body: { dryRun, countedAt = new Date(), ...filter }, caller }) {
      if (!dryRun) return { body: await revokeAll(caller, { ...filter, countedAt }) }
      const count = await countRevocable(caller.viewer, { ...filter, countedAt })
      return { body: { count, complete: false, countedAt } }
    },
  })
}

export function grantOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listGrants',
      method: 'GET',
      path: '/grants',
      summary: 'Grants, the latest first',
      permission: 'grants.read',
      query: z.object({ ...strictFilter(grantFilterSchema).shape, ...timePage(GRANT_ID) }),
      answer: named('GrantPage', pageOf(listed)),
      async run({ query: { cursor, limit, ...filter }, caller }) {
        const page = await listGrants(caller.viewer, filter, { after: cursor, limit })
        return timePageReply(page.rows, page.after)
      },
    }),
    operation({
      ...of,
      id: 'getGrant',
      method: 'GET',
      path: '/grants/{grantId}',
      summary: 'A grant with its history',
      permission: 'grants.read',
      params,
      answer: grant,
      run: async ({ params: { grantId }, caller }) => ({
        body: await getGrantDetail(caller.viewer, grantId),
      }),
    }),
    operation({
      ...of,
      id: 'revokeGrant',
      method: 'POST',
      path: '/grants/{grantId}/revoke',
      summary: 'Revokes a grant, at once and on every process',
      permission: 'grants.revoke',
      params,
      answer: changed,
      run: async ({ params: { grantId }, caller }) => ({
        body: { changed: await revokeGrantByConsole(caller.viewer, caller.actor, grantId) },
      }),
    }),
    matchingOperation(),
  ]
}
