import 'server-only'
import { endOwnSessions } from '#lib/access/own-sessions.ts'
import { findSession } from '#lib/access/sessions.ts'
import { readSessionId } from './session-cookie.ts'
import { actorOf } from './viewer.ts'

/** Ends the session that this browser has, if any: at signing out, and when another takes its place. */
export async function endPresentSession(): Promise<void> {
  const sessionId = await readSessionId()
  const session = sessionId === undefined ? undefined : await findSession(sessionId)
  if (!session) return
  const { viewer } = session
  await endOwnSessions(viewer.userId, { sessionId: session.sessionId }, await actorOf(viewer))
}
