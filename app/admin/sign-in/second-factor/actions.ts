'use server'

import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { redirect } from 'next/navigation'
import type { FormState } from '#components/console/form-state.ts'
import { completeWithCode } from '#lib/access/complete-session.ts'
import { usageSchema } from '#lib/access/passkey-schema.ts'
import { askForPasskey, completeWithPasskey } from '#lib/access/passkeys.ts'
import { takeSecondFactorAttempt } from '#lib/access/sign-in-limits.ts'
import { handleForm } from '../../form-action.ts'
import { readKnownBrowser, rememberBrowser } from '../../known-browser-cookie.ts'
import { setSessionCookie } from '../../session-cookie.ts'
import { actorOf, findSignIn } from '../../viewer.ts'
import { texts } from '../texts.ts'

/** The session that still waits for its second factor. */
async function waitingSession() {
  const signIn = await findSignIn()
  if (!signIn) redirect('/admin/sign-in')
  if (signIn.complete) redirect('/admin')
  const { viewer, sessionId } = signIn
  return { ...viewer, sessionId, actor: await actorOf(viewer) }
}

/** Completes the session with a code of an authenticator app, or a recovery code. */
export const giveCode = handleForm(async (_state, data) => {
  const { userId, email, sessionId, actor } = await waitingSession()
  const failed = (message: string): FormState => ({ status: 'invalid', message, errors: {}, values: {} })
  const browserId = await readKnownBrowser(email)
  const minutes = await takeSecondFactorAttempt({ account: userId, browserId })
  if (minutes > 0) return failed(texts.tooMany(minutes))
  const code = String(data.get('code') ?? '').slice(0, 100)
  const opened = await completeWithCode({ sessionId, userId, code }, actor)
  if (opened === undefined) return failed(texts.secondFactor.wrong)
  await setSessionCookie(opened)
  await rememberBrowser(email)
  redirect('/admin')
})

/** What the browser needs to use a passkey. */
export async function beginPasskeyUse(): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const { userId, sessionId } = await waitingSession()
  return askForPasskey({ userId, sessionId })
}

/** Completes the session with a passkey. @returns false when it does not verify */
export async function givePasskey(response: AuthenticationResponseJSON): Promise<boolean> {
  const { userId, email, sessionId, actor } = await waitingSession()
  if (!usageSchema.safeParse(response).success) return false
  const opened = await completeWithPasskey({ userId, sessionId }, response, actor)
  if (opened === undefined) return false
  await setSessionCookie(opened)
  await rememberBrowser(email)
  return true
}
