'use server'

import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { revalidatePath } from 'next/cache'
import type { FormState } from '#components/console/form-state.ts'
import { creationSchema } from '#lib/access/passkey-schema.ts'
import { addPasskey, offerPasskey } from '#lib/access/passkeys.ts'
import {
  confirmPassword,
  confirmTotp,
  removePasskey,
  removeTotp,
  renewRecoveryCodes,
} from '#lib/access/second-factors.ts'
import { takeSecondFactorAttempt } from '#lib/access/sign-in-limits.ts'
import { findProvider } from '#lib/identity/registry.ts'
import { displayText, isStorable } from '#lib/platform/text.ts'
import { handleForm } from '../form-action.ts'
import { texts } from '../sign-in/texts.ts'
import { actorOf, requireOwnSignIn } from '../viewer.ts'
import { ownTexts } from './texts.ts'

const invalid = (errors: FormState['errors']): FormState => ({ status: 'invalid', errors, values: {} })
const done = (codes: string[] = []): FormState => ({ status: 'done', errors: {}, values: { codes } })

async function ownAccount() {
  const { viewer, sessionId, hasSecondFactor } = await requireOwnSignIn()
  return { ...viewer, sessionId, hasSecondFactor, actor: await actorOf(viewer) }
}

/** What changes second factors that protect an account asks for the password: a browser left open is not enough. */
async function findPasswordFault(userId: string, data: FormData): Promise<FormState | undefined> {
  const minutes = await takeSecondFactorAttempt({ account: `password ${userId}` })
  if (minutes > 0) return { status: 'failed', message: texts.tooMany(minutes), errors: {}, values: {} }
  const password = String(data.get('password') ?? '').slice(0, 1_000)
  if (await confirmPassword(userId, password)) return undefined
  return invalid({ password: [ownTexts.wrongPassword] })
}

/** Turns on the codes of an authenticator app. */
export const turnOnTotp = handleForm(async (_state, data) => {
  const { userId, sessionId, hasSecondFactor, actor } = await ownAccount()
  const fault = hasSecondFactor ? await findPasswordFault(userId, data) : undefined
  if (fault) return fault
  const code = String(data.get('code') ?? '').slice(0, 100)
  const codes = await confirmTotp({ userId, sessionId, code }, actor)
  return codes ? done(codes) : invalid({ code: [ownTexts.totp.wrong] })
})

/** Turns them off. */
export const turnOffTotp = handleForm(async (_state, data) => {
  const { userId, actor } = await ownAccount()
  const fault = await findPasswordFault(userId, data)
  if (fault) return fault
  await removeTotp(userId, actor)
  revalidatePath('/admin/account')
  return done()
})

/** What the browser needs to make a passkey, or why it may not; undefined when there are enough. */
export async function beginPasskey(
  data: FormData,
): Promise<PublicKeyCredentialCreationOptionsJSON | { fault: string } | undefined> {
  const { userId, sessionId, email, hasSecondFactor } = await ownAccount()
  const isForm = data instanceof FormData
  const fault = hasSecondFactor ? await findPasswordFault(userId, isForm ? data : new FormData()) : undefined
  if (fault) return { fault: fault.message ?? ownTexts.wrongPasswordAlone }
  const organization = (await findProvider())?.organization ?? 'PACT Provider'
  return offerPasskey({ userId, sessionId }, { organization, email })
}

/** Keeps the passkey that the browser made. @returns new recovery codes; undefined when it does not verify */
export async function finishPasskey(
  name: string,
  response: RegistrationResponseJSON,
): Promise<string[] | undefined> {
  const { userId, sessionId, actor } = await ownAccount()
  const checked = displayText({ max: 60 }).safeParse(name)
  if (!creationSchema.safeParse(response).success) return undefined
  return addPasskey({ userId, sessionId }, { name: checked.data ?? 'Passkey', response }, actor)
}

/** Removes one of the viewer's own passkeys. */
export const deletePasskey = handleForm(async (_state, data) => {
  const { userId, actor } = await ownAccount()
  const fault = await findPasswordFault(userId, data)
  if (fault) return fault
  const passkey = String(data.get('passkey') ?? '')
  if (isStorable(passkey)) await removePasskey(userId, passkey, actor)
  revalidatePath('/admin/account')
  return done()
})

/** New recovery codes in place of the old. */
export const makeRecoveryCodes = handleForm(async (_state, data) => {
  const { userId, actor } = await ownAccount()
  const fault = await findPasswordFault(userId, data)
  return fault ?? done(await renewRecoveryCodes(userId, actor))
})
