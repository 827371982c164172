import { createTransport } from 'nodemailer'
import { config } from '#lib/platform/config.ts'
import { log } from '#lib/platform/log.ts'
import { makeVisible } from '#lib/platform/text.ts'
import { INVITATION_DAYS } from './invitations.ts'

/** How long a mail server may take for each step, in milliseconds. */
const PATIENCE = 8_000

export type MailOutcome = 'sent' | 'failed' | 'not-configured'

/**
 * Mails an invitation's link, when `SMTP_URL` is set. A mail that fails is no reason to invite nobody: the link can be
 * passed on by hand.
 *
 * @returns never rejects
 */
export async function mailInvitation(
  to: string,
  { link, organization, invitedBy }: { link: string; organization: string; invitedBy: string },
): Promise<MailOutcome> {
  const { smtp, providerUrl } = config()
  if (!smtp) return 'not-configured'
  const waits = { connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE }
  const transport = createTransport({ url: smtp.url, ...waits })
  const name = makeVisible(organization)
  try {
    await transport.sendMail({
      from: smtp.from ?? `pact-provider@${new URL(providerUrl).hostname}`,
      to: { name: '', address: to },
      subject: `Your invitation to the console of ${name}`,
      text: [
        `${makeVisible(invitedBy)} invites you to the console of ${name}.`,
        `Open this link to accept. It works once, within ${INVITATION_DAYS} days:`,
        link,
        'If you did not expect this, you need not do anything.',
      ].join('\n\n'),
    })
    return 'sent'
  } catch (error) {
    log().warn({ reason: error instanceof Error ? error.message : '' }, 'an invitation could not be mailed')
    return 'failed'
  } finally {
    transport.close()
  }
}
