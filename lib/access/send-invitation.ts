import { findProvider } from '#lib/identity/registry.ts'
import type { Actor } from './audit.ts'
import { type MailOutcome, mailInvitation } from './invitation-mail.ts'
import { inviteMember, noteMailedOnly, seesLink } from './invitations.ts'
import type { Viewer } from './permissions.ts'
import type { ConsoleUserSettings } from './schema.ts'

/** An invitation that was made. `link`: undefined where it was mailed, and the inviter is not to see it. */
export type SentInvitation = { id: string; expiresAt: Date; link: string | undefined; mail: MailOutcome }

/**
 * Invites somebody, and mails the link where that is set up.
 *
 * @throws ForbiddenError for a role that the viewer may not give; an unknown Brand is one
 */
export async function sendInvitation(
  viewer: Viewer,
  actor: Actor,
  settings: ConsoleUserSettings,
): Promise<SentInvitation> {
  const { id, link, expiresAt } = await inviteMember(viewer, actor, settings)
  const organization = (await findProvider())?.organization ?? 'PACT Provider'
  const invitedBy = viewer.name ?? viewer.email
  const mail = await mailInvitation(settings.email, { link, organization, invitedBy })
  if (mail !== 'sent' || seesLink(viewer)) return { id, expiresAt, link, mail }
  await noteMailedOnly(id)
  return { id, expiresAt, link: undefined, mail }
}
