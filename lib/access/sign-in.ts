import { prisma } from '#lib/platform/database.ts'
import { appendAudit } from './audit.ts'
import { isPassword } from './passwords.ts'
import { type Origin, startSession } from './sessions.ts'

/** An address as accounts are known by it. */
export function normaliseEmail(text: string): string {
  return text.trim().toLowerCase().slice(0, 320)
}

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
  const user = await prisma().consoleUser.findUnique({
    where: { email },
    include: { passkeys: { select: { id: true }, take: 1 } },
  })
  const right = await isPassword(credentials.password, user?.passwordHash)
  const usable = user && right && user.disabledAt === null
  const actor = {
    kind: 'user',
    name: user?.email ?? email,
    ...(user && { id: user.id }),
  } as const
  const address = origin.address ? { address: origin.address } : {}
  await prisma().$transaction((transaction) =>
    appendAudit(transaction, [
      {
        actor: { ...actor, ...address },
        action: usable ? 'session.start' : 'session.refuse',
        subject: actor.name,
        ...(usable && { after: { method: 'password' } }),
      },
    ]),
  )
  if (!usable) return undefined
  const owesSecondFactor = user.sealedTotp !== null || user.passkeys.length > 0
  const complete = !owesSecondFactor
  const sessionId = await startSession(user.id, 'password', { ...origin, complete })
  return { userId: user.id, email: user.email, sessionId, complete }
}
