'use server'

import { revalidatePath } from 'next/cache'
import { z } from 'zod'
import type { FormState } from '#components/console/form-state.ts'
import { changePassword } from '#lib/access/change-password.ts'
import { changeOwnName, personNameSchema } from '#lib/access/own-name.ts'
import { endOwnSessions } from '#lib/access/own-sessions.ts'
import { newPasswordSchema } from '#lib/access/passwords.ts'
import { takeSecondFactorAttempt } from '#lib/access/sign-in-limits.ts'
import { handleForm } from '../../form-action.ts'
import { texts as signInTexts } from '../../sign-in/texts.ts'
import { actorOf, findSignIn, requireViewer } from '../../viewer.ts'
import { texts } from './texts.ts'

const invalid = (errors: FormState['errors'], values: FormState['values'] = {}): FormState => ({
  status: 'invalid',
  errors,
  values,
})
const done = (message: string): FormState => ({ status: 'done', message, errors: {}, values: {} })

/** The viewer's own name. */
export const saveName = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const typed = String(data.get('name') ?? '')
  const name = personNameSchema.safeParse(typed)
  if (!name.success)
    return invalid({ name: name.error.issues.map(({ message }) => message) }, { name: typed })
  await changeOwnName(viewer.userId, name.data, await actorOf(viewer))
  revalidatePath('/admin/account')
  return done(texts.nameSaved)
})

/** The viewer's own password. */
export const savePassword = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const keepSession = (await findSignIn())?.sessionId ?? ''
  const minutes = await takeSecondFactorAttempt({ account: `password ${viewer.userId}` })
  if (minutes > 0) {
    return { status: 'failed', message: signInTexts.tooMany(minutes), errors: {}, values: {} }
  }
  const present = String(data.get('present') ?? '').slice(0, 1_000)
  const next = newPasswordSchema.safeParse(data.get('next'))
  if (!next.success) return invalid({ next: next.error.issues.map(({ message }) => message) })
  if (next.data === present) return invalid({ next: [texts.samePassword] })
  const passwords = { present, next: next.data, keepSession }
  const changed = await changePassword(viewer.userId, passwords, await actorOf(viewer))
  return changed ? done(texts.changed) : invalid({ present: [texts.wrongPresent] })
})

/** Ends one of the viewer's own sessions. */
export const endSession = handleForm(async (_state, data) => {
  const viewer = await requireViewer()
  const sessionId = String(data.get('session') ?? '')
  if (z.uuid().safeParse(sessionId).success) {
    await endOwnSessions(viewer.userId, { sessionId }, await actorOf(viewer))
  }
  revalidatePath('/admin/account')
  return done(texts.ended)
})

/** Ends all of them but this browser's. */
export async function endOtherSessions(): Promise<FormState> {
  const viewer = await requireViewer()
  const except = (await findSignIn())?.sessionId
  if (except) await endOwnSessions(viewer.userId, { except }, await actorOf(viewer))
  revalidatePath('/admin/account')
  return done(texts.ended)
}
