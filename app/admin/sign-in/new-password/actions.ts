'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/console/form-state.ts'
import { changePassword } from '#lib/access/change-password.ts'
import { newPasswordSchema } from '#lib/access/passwords.ts'
import { takeSecondFactorAttempt } from '#lib/access/sign-in-limits.ts'
import { handleForm } from '../../form-action.ts'
import { actorOf, findSignIn } from '../../viewer.ts'
import { texts } from '../texts.ts'

/** Gives whoever signed in with a password made by somebody else the one that they chose. */
export const choosePassword = handleForm(async (_state, data) => {
  const signIn = await findSignIn()
  if (!signIn?.complete) redirect('/admin/sign-in')
  if (!signIn.mustChangePassword) redirect('/admin')
  const invalid = (errors: FormState['errors']): FormState => ({ status: 'invalid', errors, values: {} })
  const present = String(data.get('present') ?? '').slice(0, 1_000)
  const next = newPasswordSchema.safeParse(data.get('next'))
  if (!next.success) return invalid({ next: next.error.issues.map(({ message }) => message) })
  if (next.data === present) return invalid({ next: ['must differ from the one that you have now'] })
  const minutes = await takeSecondFactorAttempt({ account: `password ${signIn.viewer.userId}` })
  if (minutes > 0) return { status: 'failed', message: texts.tooMany(minutes), errors: {}, values: {} }
  const passwords = { present, next: next.data, keepSession: signIn.sessionId }
  const changed = await changePassword(signIn.viewer.userId, passwords, await actorOf(signIn.viewer))
  if (!changed) return invalid({ present: ['is not the password that you have now'] })
  redirect('/admin')
})
