'use server'

import { redirect } from 'next/navigation'
import { type FormState, typedValues } from '#components/console/form-state.ts'
import { endSessions, findSession } from '#lib/access/sessions.ts'
import { signInWithPassword } from '#lib/access/sign-in.ts'
import { clearSessionCookie, readSessionId, setSessionCookie } from '../session-cookie.ts'
import { requestOrigin } from '../viewer.ts'

/** Signs in with e-mail address and password. Says nothing about which of the two was wrong. */
export async function signIn(_state: FormState, data: FormData): Promise<FormState> {
  const email = String(data.get('email') ?? '')
  const password = String(data.get('password') ?? '')
  const found = await signInWithPassword({ email, password }, await requestOrigin())
  if (!found) {
    const { password: _password, ...values } = typedValues(data)
    return {
      status: 'invalid',
      message: 'The e-mail address or the password is not right.',
      errors: {},
      values,
    }
  }
  await setSessionCookie(found.sessionId)
  redirect('/admin')
}

/** Ends this browser's session. */
export async function signOut(): Promise<void> {
  const sessionId = await readSessionId()
  const session = sessionId === undefined ? undefined : await findSession(sessionId)
  if (session) await endSessions(session.viewer.userId, { sessionId: session.sessionId })
  await clearSessionCookie()
  redirect('/admin/sign-in')
}
