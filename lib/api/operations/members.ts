import { z } from 'zod'
import {
  changeBrandRole,
  changeProviderRole,
  type EditResult,
  setMemberDisabled,
} from '#lib/access/member-edits.ts'
import { getMember, listMembers } from '#lib/access/members.ts'
import { memberQuerySchema } from '#lib/access/members-schema.ts'
import type { Viewer } from '#lib/access/permissions.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { isStorable } from '#lib/platform/text.ts'
import { time } from '../answer-parts.ts'
import { rowPage, rowPageReply, strictFilter } from '../list-query.ts'
import { named, pageOf } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem } from '../problem.ts'

const providerRole = z.enum(['admin', 'auditor'])
const brandRole = z.enum(['manager', 'viewer'])

const member = named(
  'Member',
  z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    providerRole: providerRole.nullable(),
    brands: z.array(z.object({ id: z.string(), name: z.string(), role: brandRole })),
    secondFactor: z.boolean().optional(),
    disabledAt: time.nullable(),
    lastSeenAt: time.nullable(),
  }),
)

const { before: _before, after: _after, ...filter } = strictFilter(memberQuerySchema).shape
const params = z.object({ userId: z.uuid() })
const of = { tag: 'Members' } as const

async function settle(edit: Promise<EditResult>, viewer: Viewer, userId: string) {
  if ((await edit) === 'stale') throw new ApiProblem('changed-meanwhile')
  return { body: await getMember(viewer, userId) }
}

function switching(disabled: boolean): Operation {
  return operation({
    ...of,
    id: disabled ? 'disableMember' : 'enableMember',
    method: 'POST',
    path: `/members/{userId}/${disabled ? 'disable' : 'enable'}`,
    summary: disabled ? 'Shuts a user out, everywhere and at once' : 'Lets a user in again',
    description: disabled
      ? 'Their sessions end, and their API tokens work no more.'
      : 'With the roles that they have.',
    permission: 'members.write',
    at: 'provider',
    params,
    answer: member,
    run: ({ params: { userId }, caller: { viewer, actor } }) =>
      settle(setMemberDisabled(viewer, actor, { userId, disabled }), viewer, userId),
  })
}

function roleOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'changeProviderRole',
      method: 'PUT',
      path: '/members/{userId}/provider-role',
      summary: 'Gives a user another role at the Provider, or none',
      description: '`from` is the role that you saw; null: none.',
      permission: 'members.write',
      at: 'provider',
      params,
      body: named(
        'ProviderRoleChange',
        z.strictObject({ from: providerRole.nullable(), to: providerRole.nullable() }),
      ),
      example: { from: null, to: 'auditor' },
      answer: member,
      run: ({ params: { userId }, body, caller: { viewer, actor } }) =>
        settle(changeProviderRole(viewer, actor, { userId, ...body }), viewer, userId),
    }),
    operation({
      ...of,
      id: 'changeBrandRole',
      method: 'PUT',
      path: '/members/{userId}/brand-roles/{brandId}',
      summary: 'Gives a user another role at a Brand, or takes them off it',
      description: '`from` is the role that you saw; null: none.',
      permission: 'members.write',
      at: 'brand',
      params: params.extend({ brandId: brandIdSchema }),
      body: named(
        'BrandRoleChange',
        z.strictObject({ from: brandRole.nullable(), to: brandRole.nullable() }),
      ),
      example: { from: 'manager', to: 'viewer' },
      answer: named('ChangedBrandRole', z.object({ role: brandRole.nullable() })),
      async run({ params: { userId, brandId }, body, caller: { viewer, actor } }) {
        const edit = await changeBrandRole(viewer, actor, { userId, brandId, ...body })
        if (edit === 'stale') throw new ApiProblem('changed-meanwhile')
        return { body: { role: body.to } }
      },
    }),
  ]
}

export function memberOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listMembers',
      method: 'GET',
      path: '/members',
      summary: 'Users of the console, by e-mail address',
      permission: 'members.read',
      at: 'anywhere',
      query: z.object({ ...filter, ...rowPage(z.string().min(1).max(320).refine(isStorable)) }),
      answer: named('MemberPage', pageOf(member)),
      async run({ query: { cursor, ...query }, caller }) {
        const page = await listMembers(caller.viewer, { ...query, after: cursor })
        return rowPageReply(page.members, page.after)
      },
    }),
    operation({
      ...of,
      id: 'getMember',
      method: 'GET',
      path: '/members/{userId}',
      summary: 'A user of the console',
      permission: 'members.read',
      at: 'anywhere',
      params,
      answer: member,
      run: async ({ params: { userId }, caller }) => ({ body: await getMember(caller.viewer, userId) }),
    }),
    ...roleOperations(),
    switching(true),
    switching(false),
  ]
}
