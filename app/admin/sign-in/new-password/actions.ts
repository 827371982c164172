'use server'

import { redirect } from 'next/navigation'
import type { FormState } from '#components/console/form-state.ts'
import { changePassword } from '#lib/access/change-password.ts'
import { newPasswordSchema } from '#lib/access/passwords.ts'
import { actorOf, findSignIn } from '../../viewer.ts'

/** Gives whoever is signed in the password that they chose. */
export async function choosePassword(_state: FormState, data: FormData): Promise<FormState> {
  const signIn = await findSignIn()
  if (!signIn?.complete) redirect('/admin/sign-in')
  const invalid = (errors: FormState['errors']): FormState => ({ status: 'invalid', errors, values: {} })
  const present = String(data.get('present') ?? '')
  const next = newPasswordSchema.safeParse(data.get('next'))
  if (!next.success) return invalid({ next: next.error.issues.map(({ message }) => message) })
  if (next.data === present) return invalid({ next: ['must differ from the one that you have now'] })
  const passwords = { present, next: next.data, keepSession: signIn.sessionId }
  const changed = await changePassword(signIn.viewer.userId, passwords, await actorOf(signIn.viewer))
  if (!changed) return invalid({ present: ['is not the password that you have now'] })
  redirect('/admin')
}
