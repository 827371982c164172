'use server'

import { redirect } from 'next/navigation'
import { type FormState, typedValues } from '#components/console/form-state.ts'
import { isMadePassword } from '#lib/access/passwords.ts'
import { normaliseEmail, signInWithPassword } from '#lib/access/sign-in.ts'
import { forgiveSignInAttempt, takeSignInAttempt } from '#lib/access/sign-in-limits.ts'
import { handleForm } from '../form-action.ts'
import { readKnownBrowser, rememberBrowser } from '../known-browser-cookie.ts'
import { endPresentSession } from '../present-session.ts'
import { clearSessionCookie, setSessionCookie } from '../session-cookie.ts'
import { requestOrigin } from '../viewer.ts'
import { texts } from './texts.ts'

/**
 * Signs in with e-mail address and password. Says nothing about which of the two was wrong, and counts attempts at an
 * account that does not exist like all others.
 */
export const signIn = handleForm(async (_state, data) => {
  const email = normaliseEmail(String(data.get('email') ?? ''))
  const password = String(data.get('password') ?? '').slice(0, 1_000)
  const refuse = (message: string): FormState => {
    const { password: _password, ...values } = typedValues(data)
    return { status: 'invalid', message, errors: {}, values }
  }
  const origin = await requestOrigin()
  const browserId = await readKnownBrowser(email)
  const made = isMadePassword(password)
  const attempt = { account: email, address: origin.address, browserId, made }
  const minutes = await takeSignInAttempt(attempt)
  if (minutes > 0) return refuse(texts.tooMany(minutes))
  const found = await signInWithPassword({ email, password }, origin)
  if (!found) return refuse(texts.wrong)
  await forgiveSignInAttempt(attempt)
  await endPresentSession()
  await setSessionCookie(found.sessionId)
  if (found.complete) await rememberBrowser(found.email)
  redirect(found.complete ? '/admin' : '/admin/sign-in/second-factor')
})

/** Ends this browser's session. */
export async function signOut(): Promise<void> {
  await endPresentSession()
  await clearSessionCookie()
  redirect('/admin/sign-in')
}
