'use server'

import { redirect } from 'next/navigation'
import { type FormState, textOf, typedValues } from '#components/console/form-state.ts'
import { acceptAsUser, acceptWithNewAccount } from '#lib/access/accept-invitation.ts'
import { personNameSchema } from '#lib/access/own-name.ts'
import { newPasswordSchema } from '#lib/access/passwords.ts'
import { startSession } from '#lib/access/sessions.ts'
import { handleForm } from '../../form-action.ts'
import { rememberBrowser } from '../../known-browser-cookie.ts'
import { endPresentSession } from '../../present-session.ts'
import { setSessionCookie } from '../../session-cookie.ts'
import { requestOrigin, requireOwnSignIn } from '../../viewer.ts'
import { texts } from '../texts.ts'

const gone = (values: FormState['values'] = {}): FormState => ({
  status: 'failed',
  message: `${texts.invitation.gone}. ${texts.invitation.goneHint}`,
  errors: {},
  values,
})

/** Accepts an invitation with a new account, and signs in to it. */
export const acceptInvitation = handleForm(async (_state, data) => {
  const { password: _password, ...values } = typedValues(data)
  const name = personNameSchema.safeParse(data.get('name'))
  const password = newPasswordSchema.safeParse(data.get('password'))
  if (!name.success || !password.success) {
    const errors = {
      ...(name.success ? {} : { name: name.error.issues.map(({ message }) => message) }),
      ...(password.success ? {} : { password: password.error.issues.map(({ message }) => message) }),
    }
    return { status: 'invalid', errors, values }
  }
  const token = textOf(values.token) ?? ''
  const origin = await requestOrigin()
  const choice = { name: name.data, password: password.data }
  const account = await acceptWithNewAccount(token, choice, origin.address)
  const started = account && (await startSession(account.userId, 'password', origin))
  if (!started) return gone(values)
  await endPresentSession()
  await setSessionCookie(started.sessionId)
  if (started.complete) await rememberBrowser(account.email)
  redirect(started.complete ? '/admin' : '/admin/sign-in/second-factor')
})

/** Accepts an invitation as whoever is signed in. */
export const acceptSignedIn = handleForm(async (_state, data) => {
  const { viewer } = await requireOwnSignIn()
  const { address } = await requestOrigin()
  const accepted = await acceptAsUser(String(data.get('token') ?? ''), viewer, address)
  if (!accepted) return gone()
  redirect('/admin')
})
