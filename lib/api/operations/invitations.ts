import { z } from 'zod'
import { listInvitations, mayGive, revokeInvitation } from '#lib/access/invitations.ts'
import { consoleUserSchema } from '#lib/access/schema.ts'
import { sendInvitation } from '#lib/access/send-invitation.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { changed, time } from '../answer-parts.ts'
import { named } from '../named-schemas.ts'
import { type Operation, operation } from '../operation.ts'
import { ApiProblem } from '../problem.ts'

const settings = named('InvitationSettings', consoleUserSchema)
const facts = { id: z.string(), expiresAt: time }
const invitation = named(
  'Invitation',
  z.object({
    ...facts,
    email: z.string(),
    roles: settings.shape.roles,
    createdAt: time,
    mayRevoke: z.boolean(),
  }),
)
const sent = named(
  'SentInvitation',
  z.object({
    ...facts,
    /** Works once. Left out where it was mailed, and is for the invited alone. */
    link: z.string().optional(),
    mail: z.enum(['sent', 'failed', 'not-configured']),
  }),
)
const of = { tag: 'Members', at: 'anywhere' } as const

export function invitationOperations(): Operation[] {
  return [
    operation({
      ...of,
      id: 'listInvitations',
      method: 'GET',
      path: '/invitations',
      summary: 'Invitations that still wait, the newest first',
      permission: 'members.read',
      query: z.object({ brand: brandIdSchema.optional() }),
      answer: named('InvitationList', z.object({ data: z.array(invitation) })),
      run: async ({ query, caller }) => ({
        body: { data: await listInvitations(caller.viewer, query.brand) },
      }),
    }),
    operation({
      ...of,
      id: 'inviteMember',
      method: 'POST',
      path: '/invitations',
      summary: 'Invites somebody',
      description: 'The link is shown this once; with an `Idempotency-Key`, to the same token for a day.',
      permission: 'members.write',
      body: settings,
      example: {
        email: 'jane@brand.example',
        roles: [{ brand: '01KAA0B5V7S8Q0ZJ1M9T3X4WCR', role: 'viewer' }],
      },
      answer: sent,
      status: 201,
      async run({ body, caller: { viewer, actor } }) {
        const atProvider = body.roles.filter((role) => 'provider' in role)
        if (!mayGive(viewer, atProvider)) throw new ApiProblem('forbidden', { permission: 'members.write' })
        return { body: await sendInvitation(viewer, actor, body) }
      },
    }),
    operation({
      ...of,
      id: 'revokeInvitation',
      method: 'POST',
      path: '/invitations/{invitationId}/revoke',
      summary: 'Takes an invitation back',
      permission: 'members.write',
      params: z.object({ invitationId: z.uuid() }),
      answer: changed,
      run: async ({ params: { invitationId }, caller: { viewer, actor } }) => ({
        body: { changed: await revokeInvitation(viewer, actor, invitationId) },
      }),
    }),
  ]
}
