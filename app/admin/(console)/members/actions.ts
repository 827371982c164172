'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import { type FormState, typedValues } from '#components/console/form-state.ts'
import { type InvitedRole, revokeInvitation } from '#lib/access/invitations.ts'
import { LastAdminError } from '#lib/access/last-admin.ts'
import {
  changeBrandRole,
  changeProviderRole,
  type EditResult,
  setMemberDisabled,
} from '#lib/access/member-edits.ts'
import { ForbiddenError } from '#lib/access/permissions.ts'
import { consoleUserSchema } from '#lib/access/schema.ts'
import { sendInvitation } from '#lib/access/send-invitation.ts'
import { brandIdSchema } from '#lib/brands/schema.ts'
import { checkSchema } from '#lib/provisioning/describe-issues.ts'
import { errorsOf, formAction, handleForm, type Outcome } from '../../form-action.ts'
import { actorOf, requireViewer } from '../../viewer.ts'
import { texts } from './texts.ts'

const path = '/admin/members'
const userId = z.uuid()
const brandRole = z.enum(['', 'manager', 'viewer']).transform((role) => role || null)
const providerRole = z.enum(['', 'admin', 'auditor']).transform((role) => role || null)

/** The Brand that a form concerns; one at the Provider has none. */
function brandOf(data: FormData): string | undefined {
  return String(data.get('brand') ?? '') || undefined
}

async function settle(edit: Promise<EditResult>): Promise<Outcome> {
  try {
    const result = await edit
    revalidatePath(path, 'layout')
    return result === 'done' ? { status: 'done', message: texts.saved } : failed(texts.stale)
  } catch (error) {
    if (error instanceof LastAdminError) return failed(texts.lastAdmin)
    throw error
  }
}

const failed = (message: string): Outcome => ({ status: 'failed', message })

const inviteSchema = z.object({
  email: consoleUserSchema.shape.email,
  role: z.enum(['admin', 'auditor', 'manager', 'viewer']),
  brand: z.union([brandIdSchema, z.literal('')]).optional(),
})

function toRole({ role, brand }: z.infer<typeof inviteSchema>): InvitedRole | undefined {
  if (role === 'admin' || role === 'auditor') return { provider: role }
  return brand ? { brand, role } : undefined
}

const mailTexts = { sent: texts.mailed, failed: texts.mailFailed, 'not-configured': '' }

/** Invites somebody. The link comes back this once, among the values. */
export const invite = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const values = typedValues(data)
  const invalid = (errors: FormState['errors']): FormState => ({ status: 'invalid', errors, values })
  const checked = checkSchema(inviteSchema, values)
  if (!checked.ok) return invalid(errorsOf(checked.findings))
  const { email } = checked.value
  const role = toRole(checked.value)
  if (!role) return invalid({ brand: [texts.needsBrand] })
  try {
    const { link, mail } = await sendInvitation(viewer, await actorOf(viewer), { email, roles: [role] })
    revalidatePath(path)
    const values = link === undefined ? { mail: texts.mailedOnly } : { link, mail: mailTexts[mail] }
    return { status: 'done', errors: {}, values: { email, ...values } }
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error
    return invalid('brand' in role ? { brand: [texts.noSuchBrand] } : { role: [texts.noSuchRole] })
  }
})

/** Takes an invitation back. Who may is decided by the roles that it gives. */
const revokeAction = formAction({
  permission: 'members.write',
  brandOf,
  schema: z.object({ invitation: z.uuid() }),
  async run({ invitation }, { viewer, actor }) {
    const revoked = await revokeInvitation(viewer, actor, invitation)
    revalidatePath(path)
    return revoked ? { status: 'done', message: texts.revoked } : failed(texts.revokedBefore)
  },
})

const providerRoleAction = formAction({
  permission: 'members.write',
  schema: z.object({ user: userId, from: providerRole, to: providerRole }),
  run: ({ user, from, to }, { viewer, actor }) =>
    settle(changeProviderRole(viewer, actor, { userId: user, from, to })),
})

const brandRoleAction = formAction({
  permission: 'members.write',
  brandOf,
  schema: z.object({ user: userId, brand: brandIdSchema, from: brandRole, to: brandRole }),
  run: ({ user, brand, from, to }, { viewer, actor }) =>
    settle(changeBrandRole(viewer, actor, { userId: user, brandId: brand, from, to })),
})

const disabledAction = formAction({
  permission: 'members.write',
  schema: z.object({ user: userId, disabled: z.enum(['yes', 'no']) }),
  run: ({ user, disabled }, { viewer, actor }) =>
    settle(setMemberDisabled(viewer, actor, { userId: user, disabled: disabled === 'yes' })),
})

type Action = typeof revokeAction

export const revoke: Action = async (state, data) => revokeAction(state, data)
export const saveProviderRole: Action = async (state, data) => providerRoleAction(state, data)
export const saveBrandRole: Action = async (state, data) => brandRoleAction(state, data)
export const saveDisabled: Action = async (state, data) => disabledAction(state, data)
