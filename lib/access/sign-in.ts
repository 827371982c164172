import { prisma } from '#lib/platform/database.ts'
import { isStorable } from '#lib/platform/text.ts'
import { type Actor, appendAudit } from './audit.ts'
import { isPassword } from './passwords.ts'
import { type Origin, startSession } from './sessions.ts'

/** The longest that an e-mail address is stored. */
const LONGEST_EMAIL = 320

/** An address as accounts are known by it; empty for what no account can have. */
export function normaliseEmail(text: string): string {
  const email = text.trim().toLowerCase()
  return email.length <= LONGEST_EMAIL && isStorable(email) ? email : ''
}

/** What was typed may be a password in the wrong field: the audit log does not get it. */
const UNKNOWN = 'unknown account'

/**
 * Signs in with e-mail address and password.
 *
 * @returns the session's id; undefined for an unknown account and a wrong password alike
 */
export async function signInWithPassword(
  credentials: { email: string; password: string },
  origin: Origin,
): Promise<{ userId: string; email: string; sessionId: string; complete: boolean } | undefined> {
  const email = normaliseEmail(credentials.email)
  const user = await prisma().consoleUser.findUnique({ where: { email } })
  const right = await isPassword(credentials.password, user?.passwordHash)
  const started =
    user && right
      ? await startSession(user.id, 'password', { ...origin, passwordHash: user.passwordHash })
      : undefined
  const actor: Actor = {
    kind: 'user',
    name: user?.email ?? UNKNOWN,
    ...(user ? { id: user.id } : {}),
    ...(origin.address ? { address: origin.address } : {}),
  }
  const action = started ? 'session.start' : 'session.refuse'
  const after = started ? { after: { method: 'password' } } : {}
  await prisma().$transaction((transaction) =>
    appendAudit(transaction, [{ actor, action, subject: actor.name, ...after }]),
  )
  return user && started ? { userId: user.id, email: user.email, ...started } : undefined
}
