import { prisma } from '#lib/platform/database.ts'
import { type Actor, appendAudit } from './audit.ts'
import { SESSION_IDLE_TIME } from './sessions.ts'
import { describeBrowser } from './user-agent.ts'

const LISTED = 100

export type OwnSession = {
  id: string
  browser: string
  address: string | null
  method: string
  createdAt: Date
  lastSeenAt: Date
}

/** A user's live sessions, the one used last first. */
export async function listOwnSessions(userId: string): Promise<OwnSession[]> {
  const idleSince = new Date(Date.now() - SESSION_IDLE_TIME * 1000)
  const rows = await prisma().consoleSession.findMany({
    where: { userId, endedAt: null, expiresAt: { gt: new Date() }, lastSeenAt: { gt: idleSince } },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'asc' }],
    take: LISTED,
  })
  return rows.map(({ id, address, method, createdAt, lastSeenAt, userAgent }) => ({
    id,
    address,
    method,
    createdAt,
    lastSeenAt,
    browser: describeBrowser(userAgent),
  }))
}

/**
 * Ends sessions of a user's own: one, or all but one.
 *
 * @returns how many
 */
export function endOwnSessions(
  userId: string,
  which: { sessionId: string } | { except: string },
  actor: Actor,
): Promise<number> {
  const id = 'sessionId' in which ? which.sessionId : { not: which.except }
  return prisma().$transaction(async (transaction) => {
    const { count } = await transaction.consoleSession.updateMany({
      where: { userId, endedAt: null, id },
      data: { endedAt: new Date() },
    })
    if (count > 0) {
      const entry = { actor, action: 'session.end' as const, subject: actor.name, after: { ended: count } }
      await appendAudit(transaction, [entry])
    }
    return count
  })
}
