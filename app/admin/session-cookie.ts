import 'server-only'
import { cookies } from 'next/headers'
import { decode, encode } from 'next-auth/jwt'
import { cookieSecret } from '#lib/access/cookie-secret.ts'
import { SESSION_TIME } from '#lib/access/sessions.ts'
import { config } from '#lib/platform/config.ts'

const secure = () => config().providerUrl.startsWith('https:')

/** next-auth's own name, so that its routes and these functions mean the same session. */
export function sessionCookieName(): string {
  return secure() ? '__Secure-next-auth.session-token' : 'next-auth.session-token'
}

/** Makes this browser the session's. Only in server actions and route handlers. */
export async function setSessionCookie(sessionId: string): Promise<void> {
  const token = await encode({
    token: { sid: sessionId },
    secret: await cookieSecret(),
    maxAge: SESSION_TIME,
  })
  const store = await cookies()
  store.set(sessionCookieName(), token, {
    httpOnly: true,
    sameSite: 'lax',
    secure: secure(),
    path: '/',
    maxAge: SESSION_TIME,
  })
}

/** Forgets the session in this browser. Only in server actions and route handlers. */
export async function clearSessionCookie(): Promise<void> {
  const store = await cookies()
  // Browsers take a deletion of a __Secure- cookie only with its attributes.
  store.set(sessionCookieName(), '', {
    httpOnly: true,
    sameSite: 'lax',
    secure: secure(),
    path: '/',
    maxAge: 0,
  })
}

/** The id of the session that this browser's cookie names; whether it is still live is not looked at. */
export async function readSessionId(): Promise<string | undefined> {
  const value = (await cookies()).get(sessionCookieName())?.value
  if (!value) return undefined
  const token = await decode({ token: value, secret: await cookieSecret() }).catch(() => null)
  return typeof token?.sid === 'string' ? token.sid : undefined
}
