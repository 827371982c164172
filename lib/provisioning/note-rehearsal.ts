import { type Actor, appendAudit } from '#lib/access/audit.ts'
import { prisma } from '#lib/platform/database.ts'

/**
 * Notes in the audit log, before it happens, that somebody tries a Brand's own bot: it is really called, with the Brand's
 * signature and a User who is made up. Of other agents nothing is noted: they reach nobody at the Brand.
 *
 * @param agent the settings that are tried
 * @param asked as whom and how it is tried
 */
export async function noteRehearsal(
  actor: Actor,
  { id, name }: { id: string; name: string },
  agent: unknown,
  asked: {
    by: 'try-it' | 'checks'
    brandUserId?: string | undefined
    scopes?: readonly string[] | undefined
  },
): Promise<void> {
  const { driver, url } = agent as { driver?: unknown; url?: unknown }
  if (driver !== 'webhook') return
  const entry = {
    actor,
    brandId: id,
    action: 'agent.rehearse' as const,
    subject: `${name} (${id})`,
    after: { bot: url, ...asked },
  }
  await prisma().$transaction((transaction) => appendAudit(transaction, [entry]))
}
